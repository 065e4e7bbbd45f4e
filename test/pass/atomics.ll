; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; Intent: an atomic instruction stays as it is, between enter and exit calls that
; are made only if something is being checked; the kind of a compare-exchange
; depends on its success.

; STATS: {{^ *}}9 atsan - atomic instructions bracketed

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK: @__atsan_enabled = external dso_local global i32

define i32 @load(ptr %p) {
; CHECK-LABEL: define i32 @load(
; CHECK-NEXT:    [[E:%.*]] = load volatile i32, ptr @__atsan_enabled, align 4, !nosanitize
; CHECK-NEXT:    [[C:%.*]] = icmp ne i32 [[E]], 0
; CHECK-NEXT:    br i1 [[C]], label %[[ENTER:.*]], label %[[OPERATION:[^,]*]]{{$}}
; CHECK:       [[ENTER]]:
; CHECK-NEXT:    [[T:%.*]] = notail call i32 @__atsan_atomic_enter(ptr %p, i64 4)
; CHECK-NEXT:    br label %[[OPERATION]]
; CHECK:       [[OPERATION]]:
; CHECK-NEXT:    [[TOKEN:%.*]] = phi i32 [ 0, %0 ], [ [[T]], %[[ENTER]] ]
; CHECK-NEXT:    %v = load atomic i32, ptr %p acquire, align 4
; CHECK-NEXT:    [[C:%.*]] = icmp ne i32 [[TOKEN]], 0
; CHECK-NEXT:    br i1 [[C]], label %[[EXIT:.*]], label %[[REST:[^,]*]], !prof
; CHECK:       [[EXIT]]:
; CHECK-NEXT:    call void @__atsan_atomic_exit(ptr %p, i64 4, i32 0, i32 [[TOKEN]])
; CHECK-NEXT:    br label %[[REST]]
; CHECK:       [[REST]]:
; CHECK-NEXT:    ret i32 %v
  %v = load atomic i32, ptr %p acquire, align 4
  ret i32 %v
}

define void @store(ptr %p) {
; CHECK-LABEL: define void @store(
; CHECK:         store atomic i8 1, ptr %p release, align 1
; CHECK:         call void @__atsan_atomic_exit(ptr %p, i64 1, i32 1, i32
  store atomic i8 1, ptr %p release, align 1
  ret void
}

define i64 @exchange(ptr %p) {
; CHECK-LABEL: define i64 @exchange(
; CHECK:         atomicrmw volatile xchg ptr %p, i64 1 monotonic
; CHECK:         call void @__atsan_atomic_exit(ptr %p, i64 8, i32 2, i32
  %v = atomicrmw volatile xchg ptr %p, i64 1 monotonic
  ret i64 %v
}

define float @add_float(ptr %p) {
; CHECK-LABEL: define float @add_float(
; CHECK:         atomicrmw fadd ptr %p, float
; CHECK:         call void @__atsan_atomic_exit(ptr %p, i64 4, i32 2, i32
  %v = atomicrmw fadd ptr %p, float 1.0 seq_cst
  ret float %v
}

define { i32, i1 } @compare_exchange(ptr %p) {
; CHECK-LABEL: define { i32, i1 } @compare_exchange(
; CHECK:         %v = cmpxchg weak ptr %p, i32 0, i32 1 acq_rel acquire
; CHECK:         [[S:%.*]] = extractvalue { i32, i1 } %v, 1
; CHECK-NEXT:    [[K:%.*]] = select i1 [[S]], i32 2, i32 3
; CHECK-NEXT:    call void @__atsan_atomic_exit(ptr %p, i64 4, i32 [[K]], i32
  %v = cmpxchg weak ptr %p, i32 0, i32 1 acq_rel acquire
  ret { i32, i1 } %v
}

define { i128, i1 } @compare_exchange_16(ptr %p) {
; CHECK-LABEL: define { i128, i1 } @compare_exchange_16(
; CHECK:         call i32 @__atsan_atomic_enter(ptr %p, i64 16)
; CHECK:         cmpxchg ptr %p, i128 0, i128 1 seq_cst seq_cst
; CHECK:         call void @__atsan_atomic_exit(ptr %p, i64 16,
  %v = cmpxchg ptr %p, i128 0, i128 1 seq_cst seq_cst
  ret { i128, i1 } %v
}

define ptr @unordered(ptr %p) {
; CHECK-LABEL: define ptr @unordered(
; CHECK:         call void @__atsan_atomic_exit(ptr %p, i64 8, i32 0, i32
  %v = load atomic ptr, ptr %p unordered, align 8
  ret ptr %v
}

; Two in a row, the first in front of a PHI of the next block.
define i32 @before_phi(ptr %p, i1 %c) {
; CHECK-LABEL: define i32 @before_phi(
; CHECK:         %v = atomicrmw add
; CHECK:         %w = atomicrmw sub
; CHECK:         br i1 %c, label %next, label %other
; CHECK:       next:
; CHECK-NEXT:    phi i32 [ %w, {{.*}} ], [ 0, %other ]
  %v = atomicrmw add ptr %p, i32 1 seq_cst
  %w = atomicrmw sub ptr %p, i32 1 seq_cst
  br i1 %c, label %next, label %other
other:
  br label %next
next:
  %r = phi i32 [ %w, %0 ], [ 0, %other ]
  ret i32 %r
}

define void @fences_are_no_accesses() {
; CHECK-LABEL: define void @fences_are_no_accesses(
; CHECK-NEXT:    fence seq_cst
; CHECK-NEXT:    ret void
  fence seq_cst
  ret void
}
