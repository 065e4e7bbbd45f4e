; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: the device half of a CUDA program is not instrumented, although clang
; runs the plugin on it too.

target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: atsan.module_ctor
; CHECK-NOT: @__atsan
define void @kernel(ptr %p) {
  store i32 1, ptr %p
  ret void
}
