; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: a function with hooks no longer is free of effects, whatever the
; optimizer had found out.

; CHECK: define i32 @reader(ptr readonly %p) [[READER:#[0-9]+]]
define i32 @reader(ptr readonly %p) nosync nounwind speculatable memory(argmem: read) {
  %v = load i32, ptr %p
  ret i32 %v
}

; CHECK: define i32 @pure(i32 %v) [[PURE:#[0-9]+]]
define i32 @pure(i32 %v) nosync nounwind memory(none) {
  ret i32 %v
}

; CHECK: call i32 @reader(ptr %p){{$}}
define i32 @caller(ptr %p) {
  %v = call i32 @reader(ptr %p) memory(read) nosync
  ret i32 %v
}

; CHECK: attributes [[READER]] = { nounwind "no-builtin
; CHECK: attributes [[PURE]] = { nosync nounwind memory(none) "no-builtin
