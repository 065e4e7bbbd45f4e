; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-max-inline-bytes=8 -S %s | FileCheck --check-prefix=SMALL %s
; Intent: a memory intrinsic never becomes a call of libc, where an interceptor
; would see it once more: small ones are made inline code with hooks, others
; calls of the runtime.

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @small_copy(ptr %p, ptr %q) {
; CHECK-LABEL: define void @small_copy(
; CHECK-NEXT:    call void @llvm.memcpy.inline.p0.p0.i64(ptr align 4 %p, ptr align 2 %q, i64 128, i1 false){{( #[0-9]+)?}}, !tbaa.struct
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_read_range(ptr %q, i64 128)
; CHECK-NEXT:    call void @__atsan_write_range(ptr %p, i64 128)
;
; SMALL-LABEL: define void @small_copy(
; SMALL-NEXT:    call ptr @__atsan_memcpy(ptr %p, ptr %q, i64 128)
; SMALL-NEXT:    ret void
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr align 2 %q, i64 128, i1 false), !tbaa.struct !0
  ret void
}

define void @word_copy(ptr %p, ptr %q) {
; CHECK-LABEL: define void @word_copy(
; CHECK:         call void @__atsan_read8(ptr %q)
; CHECK-NEXT:    call void @__atsan_write8(ptr %p)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 8, i1 false)
  ret void
}

define void @small_set(ptr %p) {
; CHECK-LABEL: define void @small_set(
; CHECK-NEXT:    call void @llvm.memset.inline.p0.i64(ptr align 4 %p, i8 7, i64 24, i1 false)
; CHECK:         call void @__atsan_write_range(ptr %p, i64 24)
  call void @llvm.memset.p0.i64(ptr align 4 %p, i8 7, i64 24, i1 false)
  ret void
}

define void @empty(ptr %p, ptr %q) {
; CHECK-LABEL: define void @empty(
; CHECK-NOT:     @__atsan
; CHECK:         ret void
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 0, i1 false)
  ret void
}

define void @large(ptr %p, ptr %q) {
; CHECK-LABEL: define void @large(
; CHECK-NEXT:    call ptr @__atsan_memcpy(ptr %p, ptr %q, i64 129)
; CHECK-NEXT:    call ptr @__atsan_memset(ptr %p, i32 255, i64 129)
; CHECK-NEXT:    ret void
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 129, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 -1, i64 129, i1 false)
  ret void
}

define void @variable(ptr %p, ptr %q, i64 %n, i32 %m, i8 %v) {
; CHECK-LABEL: define void @variable(
; CHECK-NEXT:    call ptr @__atsan_memcpy(ptr %p, ptr %q, i64 %n)
; CHECK-NEXT:    call ptr @__atsan_memmove(ptr %p, ptr %q, i64 %n)
; CHECK-NEXT:    [[N:%.*]] = zext i32 %m to i64
; CHECK-NEXT:    [[V:%.*]] = zext i8 %v to i32
; CHECK-NEXT:    call ptr @__atsan_memset(ptr %p, i32 [[V]], i64 [[N]])
; CHECK-NEXT:    ret void
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  call void @llvm.memset.p0.i32(ptr %p, i8 %v, i32 %m, i1 false)
  ret void
}

; There is no inline flavour of it.
define void @small_move(ptr %p, ptr %q) {
; CHECK-LABEL: define void @small_move(
; CHECK-NEXT:    call ptr @__atsan_memmove(ptr %p, ptr %q, i64 16)
; CHECK-NEXT:    ret void
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)
  ret void
}

; The runtime reports when it is called: what comes first is reported first.
define void @order(ptr %p, ptr %q, i64 %n) {
; CHECK-LABEL: define void @order(
; CHECK:         call void @__atsan_write1(ptr %p)
; CHECK:         call ptr @__atsan_memcpy(ptr %p, ptr %q, i64 %n)
; CHECK-NEXT:    load i8, ptr %p
; CHECK:         call void @__atsan_read1(ptr %p)
  store i8 1, ptr %p
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  %v = load i8, ptr %p
  ret void
}

; These never are calls of libc, so they stay, with hooks.
define void @element_atomic(ptr %p, ptr %q, i64 %n) {
; CHECK-LABEL: define void @element_atomic(
; CHECK-NEXT:    call void @llvm.memcpy.element.unordered.atomic
; CHECK-NEXT:    call void @llvm.memset.element.unordered.atomic
; CHECK:         [[R:%.*]] = mul i64 1, %n
; CHECK-NEXT:    call void @__atsan_read_range(ptr %q, i64 [[R]])
; CHECK-NEXT:    [[W:%.*]] = mul i64 1, %n
; CHECK-NEXT:    call void @__atsan_write_range(ptr %p, i64 [[W]])
; CHECK-NEXT:    call void @__atsan_write_range(ptr %p, i64 32)
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %p, ptr align 4 %q, i64 %n, i32 4)
  call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 4 %p, i8 0, i64 32, i32 4)
  ret void
}

; Both ends are private, but libc must not be called for it either.
define void @private() {
; CHECK-LABEL: define void @private(
; CHECK-NEXT:    %a = alloca
; CHECK-NEXT:    %b = alloca
; CHECK-NEXT:    call void @llvm.memcpy.inline
; CHECK-NEXT:    ret void
  %a = alloca [100 x i8]
  %b = alloca [100 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 100, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
declare void @llvm.memset.element.unordered.atomic.p0.i64(ptr, i8, i64, i32)

!0 = !{i64 0, i64 4, !1}
!1 = !{!2, !2, i64 0}
!2 = !{!"int", !3, i64 0}
!3 = !{!"Simple C++ TBAA"}
