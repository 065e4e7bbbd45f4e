; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: accesses without a visible point in between share one gate test and
; are reported in program order; every visible point and the end of the block
; ends the segment, with the hooks in front of it.

target datalayout = "e-i64:64-n8:16:32:64-S128"

declare void @callee()
declare void @noreturn() noreturn
declare double @sqrt(double)
declare double @tgamma_of(double)
declare i64 @llvm.ctpop.i64(i64)
declare void @llvm.assume(i1)

define i32 @one_segment(ptr %p, ptr %q) {
; CHECK-LABEL: define i32 @one_segment(
; CHECK-NEXT:    load i32, ptr %p
; CHECK-NEXT:    store i64 1, ptr %q
; CHECK-NEXT:    store i32 2, ptr %p
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_read4(ptr %p)
; CHECK-NEXT:    call void @__atsan_write8(ptr %q)
; CHECK-NEXT:    call void @__atsan_write4(ptr %p)
; CHECK-NEXT:    br
; CHECK-NOT:     @__atsan
; CHECK:         ret
  %v = load i32, ptr %p
  store i64 1, ptr %q
  store i32 2, ptr %p
  ret i32 %v
}

define void @harmless_intrinsics(ptr %p, ptr %q, i64 %n, i1 %c) {
; CHECK-LABEL: define void @harmless_intrinsics(
; CHECK-NOT:     @__atsan
; CHECK:         store i64 %m, ptr %q
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK-NOT:     load volatile i32, ptr @__atsan_gate
; CHECK:         ret void
  store i64 %n, ptr %p
  %m = call i64 @llvm.ctpop.i64(i64 %n)
  call void @llvm.assume(i1 %c)
  store i64 %m, ptr %q
  ret void
}

define void @call_between(ptr %p, ptr %q) {
; CHECK-LABEL: define void @call_between(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         call void @callee()
; CHECK-NEXT:    store i32 2, ptr %q
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_write4(ptr %q)
  store i32 1, ptr %p
  call void @callee()
  store i32 2, ptr %q
  ret void
}

; It changes nothing but errno.
define void @arithmetic(ptr %p, ptr %q, double %x) {
; CHECK-LABEL: define void @arithmetic(
; CHECK-NOT:     @__atsan
; CHECK:         store double %r, ptr %q
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK-NOT:     load volatile i32, ptr @__atsan_gate
; CHECK:         ret void
  store i32 1, ptr %p
  %r = call double @sqrt(double %x)
  store double %r, ptr %q
  ret void
}

; These may be functions of the program.
define void @not_arithmetic(ptr %p, ptr %q, double %x) {
; CHECK-LABEL: define void @not_arithmetic(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         call double @tgamma_of(
; CHECK-NEXT:    store double %r, ptr %q
; CHECK:         call void @__atsan_write8(ptr %q)
  store i32 1, ptr %p
  %r = call double @tgamma_of(double %x)
  store double %r, ptr %q
  ret void
}

define void @not_the_library(ptr %p, ptr %q, double %x) {
; CHECK-LABEL: define void @not_the_library(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         call double @sqrt(
; CHECK-NEXT:    store double %r, ptr %q
  store i32 1, ptr %p
  %r = call double @sqrt(double %x) nobuiltin
  store double %r, ptr %q
  ret void
}

define double @floor(double %x) noinline {
  call void @callee()
  ret double %x
}

define void @of_the_program(ptr %p, ptr %q, double %x) {
; CHECK-LABEL: define void @of_the_program(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         call double @floor(
; CHECK-NEXT:    store double %r, ptr %q
  store i32 1, ptr %p
  %r = call double @floor(double %x)
  store double %r, ptr %q
  ret void
}

define void @atomic_between(ptr %p, ptr %q, ptr %a) {
; CHECK-LABEL: define void @atomic_between(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         call i32 @__atsan_atomic_enter(ptr %a, i64 4)
; CHECK:         store atomic i32 0, ptr %a release
; CHECK:         call void @__atsan_write4(ptr %q)
  store i32 1, ptr %p
  store atomic i32 0, ptr %a release, align 4
  store i32 2, ptr %q
  ret void
}

define void @fence_between(ptr %p, ptr %q) {
; CHECK-LABEL: define void @fence_between(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         fence seq_cst
; CHECK:         call void @__atsan_write4(ptr %q)
  store i32 1, ptr %p
  fence seq_cst
  store i32 2, ptr %q
  ret void
}

define void @asm_between(ptr %p, ptr %q) {
; CHECK-LABEL: define void @asm_between(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         call void asm sideeffect "pause"
; CHECK:         call void @__atsan_write4(ptr %q)
  store i32 1, ptr %p
  call void asm sideeffect "pause", "~{memory}"()
  store i32 2, ptr %q
  ret void
}

; What precedes a volatile access is reported before it happens, for old code
; that synchronizes with one.
define void @volatile_between(ptr %p, ptr %q) {
; CHECK-LABEL: define void @volatile_between(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         store volatile i32 2, ptr %q
; CHECK:         call void @__atsan_write4(ptr %q)
  store i32 1, ptr %p
  store volatile i32 2, ptr %q
  ret void
}

define void @block_end(ptr %p, ptr %q, i1 %c) {
; CHECK-LABEL: define void @block_end(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         br i1 %c, label %then, label %else
; CHECK:       then:
; CHECK-NEXT:    store i32 2, ptr %q
; CHECK:         call void @__atsan_write4(ptr %q)
; CHECK:       else:
; CHECK-NEXT:    ret void
  store i32 1, ptr %p
  br i1 %c, label %then, label %else
then:
  store i32 2, ptr %q
  br label %else
else:
  ret void
}

; Behind a call that does not return, a hook would come too late.
define void @before_noreturn(ptr %p) {
; CHECK-LABEL: define void @before_noreturn(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         call void @noreturn()
; CHECK-NEXT:    unreachable
  store i32 1, ptr %p
  call void @noreturn()
  unreachable
}
