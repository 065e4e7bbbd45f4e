; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s -o %t.once.ll
; RUN: opt -load-pass-plugin=%plugin -passes=atsan,atsan -S %s -o %t.twice.ll
; RUN: diff %t.once.ll %t.twice.ll
; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %t.once.ll -o %t.again.ll
; RUN: FileCheck --input-file=%t.again.ll %s
; RUN: opt -load-pass-plugin=%plugin -passes='default<O2>' -S %t.once.ll | FileCheck %s
; Intent: a module is instrumented once, however often it goes through a
; pipeline, in one process or in several.

; CHECK-NOT: @atsan.module_ctor.
; CHECK-LABEL: define {{.*}}void @f(
; CHECK:         call void @__atsan_region_begin(
; CHECK-NOT:     call void @__atsan_region_begin(
; CHECK:         call void @__atsan_write1(
; CHECK-NOT:     call void @__atsan_write1(
; CHECK:         call i32 @__atsan_atomic_enter(
; CHECK-NOT:     call i32 @__atsan_atomic_enter(
; CHECK:         call void @__atsan_region_end()
; CHECK-NOT:     call void @__atsan_region_end()
; CHECK:         ret void

@text = private unnamed_addr constant [13 x i8] c"atsan_atomic\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @f, ptr @text, ptr @text, i32 1, ptr null }], section "llvm.metadata"

define void @f(ptr %p) nounwind {
  store i8 1, ptr %p
  %v = atomicrmw add ptr %p, i8 1 seq_cst
  ret void
}
