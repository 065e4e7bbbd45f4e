; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; RUN: opt -load-pass-plugin=%plugin -load=%plugin -passes=atsan -atsan-private-memory=false -atsan-print-stats -S %s 2>&1 | FileCheck --check-prefix=OFF --implicit-check-not='private to the frame' %s
; OFF-LABEL: define i32 @private(
; OFF: call void @__atsan_write4(
; Intent: stack memory whose address nobody else can get is not instrumented;
; once it may be known anywhere, every access to it is, also earlier ones.

target datalayout = "e-i64:64-n8:16:32:64-S128"

; STATS: {{^ *}}11 atsan - accesses skipped: memory private to the frame

declare void @use(ptr)
declare void @use_nocapture(ptr nocapture)
declare void @use_copy(ptr byval(i32))
@published = external global ptr

define i32 @private() {
; CHECK-LABEL: define i32 @private(
; CHECK-NOT:     @__atsan
; CHECK:         ret
  %a = alloca [4 x i32]
  %e = getelementptr [4 x i32], ptr %a, i64 0, i64 2
  store i32 1, ptr %e
  %v = load volatile i32, ptr %e
  %n = atomicrmw add ptr %a, i32 1 seq_cst
  ret i32 %v
}

define i32 @private_loop(i64 %n) {
; CHECK-LABEL: define i32 @private_loop(
; CHECK-NOT:     @__atsan
; CHECK:         ret
entry:
  %a = alloca [8 x i32]
  %end = getelementptr i32, ptr %a, i64 %n
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %q, %loop ]
  store i32 1, ptr %p
  %q = getelementptr i32, ptr %p, i64 1
  %c = icmp eq ptr %q, %end
  br i1 %c, label %done, label %loop
done:
  %v = load i32, ptr %a
  ret i32 %v
}

define i32 @private_copy(ptr byval([4 x i32]) %arg) {
; CHECK-LABEL: define i32 @private_copy(
; CHECK-NOT:     @__atsan
; CHECK:         ret
  %b = alloca [4 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %arg, i64 16, i1 false)
  store i32 1, ptr %arg
  %v = load i32, ptr %b
  ret i32 %v
}

define ptr @select_of_one(i1 %c) {
; CHECK-LABEL: define ptr @select_of_one(
; CHECK-NOT:     @__atsan
; CHECK:         ret
  %a = alloca [2 x i32]
  %e = getelementptr i32, ptr %a, i64 1
  %p = select i1 %c, ptr %a, ptr %e
  store i32 1, ptr %p
  %v = load i32, ptr %e
  ret ptr null
}

; The twins: each of these must be instrumented.

define void @stored() {
; CHECK-LABEL: define void @stored(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  store ptr %a, ptr @published
  ret void
}

define void @passed() {
; CHECK-LABEL: define void @passed(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void @use(ptr %a)
  ret void
}

; The callee is instrumented, or an interceptor: it reports accesses to it.
define void @passed_nocapture() {
; CHECK-LABEL: define void @passed_nocapture(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void @use_nocapture(ptr %a)
  ret void
}

define i64 @as_integer() {
; CHECK-LABEL: define i64 @as_integer(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  %i = ptrtoint ptr %a to i64
  ret i64 %i
}

; The second pointer may be shared memory, so what it may point to is observed.
define void @select_of_two(i1 %c, ptr %other) {
; CHECK-LABEL: define void @select_of_two(
; CHECK:         call void @__atsan_stack_birth(ptr %a, i64 4)
; CHECK:         call void @__atsan_write4(ptr %p)
  %a = alloca i32
  %p = select i1 %c, ptr %a, ptr %other
  store i32 1, ptr %p
  ret void
}

define void @phi_of_two(i1 %c, ptr %other) {
; CHECK-LABEL: define void @phi_of_two(
; CHECK:         call void @__atsan_stack_birth(ptr %a, i64 4)
; CHECK:         call void @__atsan_write4(ptr %p)
entry:
  %a = alloca i32
  br i1 %c, label %left, label %right
left:
  br label %right
right:
  %p = phi ptr [ %a, %entry ], [ %other, %left ]
  store i32 1, ptr %p
  ret void
}

; A copy of variable size is the runtime's, which reports it, so the object is
; born. What the function itself does to it has no conflict.
define void @copied_by_call(ptr %from, i64 %n) {
; CHECK-LABEL: define void @copied_by_call(
; CHECK:         call void @__atsan_stack_birth(ptr %a, i64 256)
; CHECK:         call ptr @__atsan_memcpy(ptr %a, ptr %from, i64 %n)
; CHECK-NOT:     call void @__atsan_write4(ptr %a)
; CHECK:         ret void
  %a = alloca [256 x i8], align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %from, i64 %n, i1 false)
  store i32 1, ptr %a
  ret void
}

; The escape comes after the access, and counts.
define void @escapes_later(i1 %c) {
; CHECK-LABEL: define void @escapes_later(
; CHECK:         call void @__atsan_write4(ptr %a)
entry:
  %a = alloca i32
  store i32 1, ptr %a
  br i1 %c, label %escape, label %done
escape:
  call void @use(ptr %a)
  br label %done
done:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
