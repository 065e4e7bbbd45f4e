; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; Intent: loops that may not be reported as a whole keep their hooks inside.

; STATS-NOT: loops reported as a whole
; STATS-DAG: {{^ *}}2 atsan - loops refused: calls, atomics or such
; STATS-DAG: {{^ *}}3 atsan - loops refused: not left by one latch only
; STATS-DAG: {{^ *}}3 atsan - loops refused: accesses under conditions
; STATS-DAG: {{^ *}}3 atsan - loops refused: addresses not affine
; STATS-DAG: {{^ *}}1 atsan - loops refused: few iterations
; STATS-DAG: {{^ *}}3 atsan - loops refused: nothing counts iterations
; STATS-NOT: loops reported as a whole

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @callee()
declare void @share(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)

; Several hooks for three iterations would be more code than their own.
define void @few(ptr %p, ptr %r) {
; CHECK-LABEL: define void @few(
; CHECK:       loop:
; CHECK:         call void @__atsan_read4(
; CHECK:         call void @__atsan_write4(
; CHECK:       exit:
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i64 %i
  %s = getelementptr i32, ptr %r, i64 %i
  %v = load i32, ptr %q
  store i32 %v, ptr %s
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, 3
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; It may synchronize.
define void @call(ptr %p, i64 %n) {
; CHECK-LABEL: define void @call(
; CHECK:         call void @__atsan_write4(
; CHECK:         call void @callee()
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %q
  call void @callee()
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; So may an atomic, a fence or a volatile access.
define void @atomic(ptr %p, ptr %flag, i64 %n) {
; CHECK-LABEL: define void @atomic(
; CHECK:         call void @__atsan_write4(
; CHECK:         load atomic i32, ptr %flag
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %q
  load atomic i32, ptr %flag acquire, align 4
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define void @early_exit(ptr %p, i64 %n) {
; CHECK-LABEL: define void @early_exit(
; CHECK-NOT:     strided
; CHECK:         call void @__atsan_read4(
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  %found = icmp eq i32 %v, 0
  br i1 %found, label %exit, label %latch
latch:
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; What follows the exit test is done once less than what precedes it.
define void @exit_at_header(ptr %p, i64 %n) {
; CHECK-LABEL: define void @exit_at_header(
; CHECK-NOT:     strided
; CHECK:         call void @__atsan_write4(
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %latch, label %exit
latch:
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %q
  %next = add i64 %i, 1
  br label %loop
exit:
  ret void
}

; No access is made in every iteration.
define void @condition(ptr %x, i64 %n, i64 %k) {
; CHECK-LABEL: define void @condition(
; CHECK-NOT:     strided
; CHECK:         call void @__atsan_write4(ptr %x)
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %odd = icmp eq i64 %i, %k
  br i1 %odd, label %latch, label %then
then:
  store i32 1, ptr %x
  br label %latch
latch:
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Each of so many cuts would have its copy of the loop's hooks.
define void @many_conditions(ptr %p, ptr %x, i64 %n) {
; CHECK-LABEL: define void @many_conditions(
; CHECK-NOT:     strided
; CHECK:         call void @__atsan_read4(
; CHECK-NOT:     strided
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  switch i32 %v, label %latch [ i32 1, label %one
                                i32 2, label %two
                                i32 3, label %three
                                i32 4, label %four ]
one:
  store i32 1, ptr %x
  br label %latch
two:
  store i32 2, ptr %x
  br label %latch
three:
  store i32 3, ptr %x
  br label %latch
four:
  store i32 4, ptr %x
  br label %latch
latch:
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The same for two cuts, if the hooks are many.
define void @many_hooks(ptr %p, ptr %q, ptr %r, ptr %s, ptr %x, i64 %n) {
; CHECK-LABEL: define void @many_hooks(
; CHECK-NOT:     strided
; CHECK:         call void @__atsan_read4(
; CHECK-NOT:     strided
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %pi = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %pi
  %qi = getelementptr i32, ptr %q, i64 %i
  store i32 %v, ptr %qi
  %ri = getelementptr i32, ptr %r, i64 %i
  store i32 %v, ptr %ri
  %si = getelementptr i32, ptr %s, i64 %i
  store i32 %v, ptr %si
  switch i32 %v, label %latch [ i32 1, label %one
                                i32 2, label %two ]
one:
  store i32 1, ptr %x
  br label %latch
two:
  store i32 2, ptr %x
  br label %latch
latch:
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The accesses before the exit test dominate the latch, but are made many times
; in an iteration: a cycle with two entries, which is no loop.
define void @irreducible(ptr %p, ptr %x, i64 %n) {
; CHECK-LABEL: define void @irreducible(
; CHECK-NOT:     strided
; CHECK:         call void @__atsan_write4(
; CHECK-NOT:     strided
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i32, ptr %p, i64 %i
  %first = icmp eq i64 %i, 3
  br i1 %first, label %again, label %body
body:
  %v = load i32, ptr %q
  store i32 %v, ptr %x
  %more = icmp eq i32 %v, 0
  br i1 %more, label %again, label %latch
again:
  br label %body
latch:
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Nothing counts, and there is a cut.
define void @cut_without_counter(ptr %p, ptr %x, i64 %n) {
; CHECK-LABEL: define void @cut_without_counter(
; CHECK-NOT:     strided
; CHECK:         call void @__atsan_read4(
; CHECK-NOT:     strided
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %latch ]
  %v = load i32, ptr %p
  %zero = icmp eq i32 %v, 0
  br i1 %zero, label %latch, label %then
then:
  store i32 1, ptr %x
  br label %latch
latch:
  %next = add i8 %i, 2
  %n8 = trunc i64 %n to i8
  %c = icmp ne i8 %next, %n8
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; One address is not affine: the same.
define void @indirect(ptr %p, ptr %x, i64 %n) {
; CHECK-LABEL: define void @indirect(
; CHECK-NOT:     strided
; CHECK:         call void @__atsan_read8(
; CHECK-NEXT:    call void @__atsan_write8(
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i64, ptr %p, i64 %i
  %at = load i64, ptr %q
  %y = getelementptr i64, ptr %x, i64 %at
  store i64 0, ptr %y
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The index comes round: p[0] follows p[255].
define void @index_wraps(ptr %p, i64 %n) {
; CHECK-LABEL: define void @index_wraps(
; CHECK-NOT:     strided
; CHECK:         call void @__atsan_write1(
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %j = phi i8 [ 0, %entry ], [ %j.next, %loop ]
  %x = zext i8 %j to i64
  %q = getelementptr i8, ptr %p, i64 %x
  store i8 0, ptr %q
  %j.next = add i8 %j, 1
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The life of a stack object is no access.
define void @births(i64 %n) {
; CHECK-LABEL: define void @births(
; CHECK:       loop:
; CHECK:         call void @__atsan_stack_birth(
entry:
  %a = alloca i32
  call void @share(ptr %a)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  store i32 1, ptr %a
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Nothing tells behind the loop how often it ran: a counter of 8 bits that comes
; round, and none.
define void @counter_wraps(ptr %p, ptr %q, i8 %n) {
; CHECK-LABEL: define void @counter_wraps(
; CHECK-NOT:     strided
; CHECK:         call void @__atsan_read8(
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ]
  %v = load i64, ptr %p
  store i64 %v, ptr %q
  %next = add i8 %i, 2
  %c = icmp ne i8 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define void @no_counter(ptr %p, ptr %q) {
; CHECK-LABEL: define void @no_counter(
; CHECK-NOT:     strided
; CHECK:         call void @__atsan_read8(
entry:
  br label %loop
loop:
  %v = load i64, ptr %p
  store i64 %v, ptr %q
  %c = icmp ne i64 %v, 0
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
