; REQUIRES: llvm-20 || llvm-21 || llvm-22
; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: loads of what other processors may be reading are told as loads of their
; size; the prefetch is not. LLVM 20 has the instructions first.

target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i16 @llvm.x86.movrshi(ptr)
declare <8 x i64> @llvm.x86.avx10.vmovrsq512(ptr)
declare void @llvm.x86.prefetchrs(ptr)

; CHECK-LABEL: define i16 @scalar(
; CHECK:         call void @__atsan_read_range(ptr %p, i64 2)
define i16 @scalar(ptr %p) {
  %v = call i16 @llvm.x86.movrshi(ptr %p)
  ret i16 %v
}

; CHECK-LABEL: define <8 x i64> @vector(
; CHECK:         call void @__atsan_read_range(ptr %p, i64 64)
define <8 x i64> @vector(ptr %p) {
  %v = call <8 x i64> @llvm.x86.avx10.vmovrsq512(ptr %p)
  ret <8 x i64> %v
}

; CHECK-LABEL: define void @prefetch(
; CHECK-NOT:     call void @__atsan
; CHECK:         ret void
define void @prefetch(ptr %p) {
  call void @llvm.x86.prefetchrs(ptr %p)
  ret void
}
