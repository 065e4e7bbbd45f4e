; RUN: split-file %s %t
; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %t/plain.ll | FileCheck --check-prefixes=CHECK,PLAIN %s
; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %t/begin.ll | FileCheck --check-prefixes=CHECK,MARKED %s
; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %t/named.ll | FileCheck --check-prefixes=CHECK,MARKED %s
; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %t/declared.ll | FileCheck --check-prefixes=CHECK,PLAIN %s
; Intent: every module tells the runtime the version of the interface and whether
; it contains marks of regions, from a constructor of its own that runs first.

; CHECK: @llvm.global_ctors = appending global {{.*}} { i32 0, ptr @atsan.module_ctor, ptr null }
; CHECK: define internal void @atsan.module_ctor(
; PLAIN:   call void @__atsan_init_module(i32 1, i32 0)
; MARKED:  call void @__atsan_init_module(i32 1, i32 1)
; CHECK:   ret void
; CHECK: !{i32 7, !"atsan.instrumented", i32 1}

;--- plain.ll
define void @f(ptr %p) {
  store i8 1, ptr %p
  ret void
}
;--- begin.ll
declare void @__atomic_begin()
define void @f() {
  call void @__atomic_begin()
  ret void
}
;--- named.ll
declare void @__atsan_region_begin(ptr)
define void @f() {
  call void @__atsan_region_begin(ptr null)
  ret void
}
;--- declared.ll
declare void @__atomic_begin()
declare void @__atsan_region_begin(ptr)
define void @f() {
  ret void
}
