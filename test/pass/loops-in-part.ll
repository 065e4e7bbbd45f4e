; RUN: opt -load-pass-plugin=%plugin -passes=atsan,verify -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; Intent: of a loop that makes some accesses under a condition, or to addresses
; that are not affine, the others are told behind it to a thread in a region,
; which has a closed gate for them in the loop. Outside regions all hooks are in
; the loop, in the order of the program.

; STATS-NOT: loops reported as a whole
; STATS-DAG: {{^ *}}4 atsan - loops with some accesses reported as a whole
; STATS-DAG: {{^ *}}3 atsan - hooks for the reads of a loop emitted
; STATS-NOT: loops reported as a whole

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK: @atsan.closed_gate = private constant i32 0

define void @condition(ptr %p, ptr %x, i64 %n, i64 %k) {
; CHECK-LABEL: define void @condition(
; CHECK:       entry:
; CHECK-NEXT:    [[GATE:%.*]] = load atomic i32, ptr @__atsan_gate monotonic
; CHECK-NEXT:    [[OPEN:%.*]] = icmp ne i32 [[GATE]], 0
; CHECK-NEXT:    br i1 [[OPEN]], label %[[ASK:.*]], label %[[ENTER:.*]], !prof
; CHECK:       [[ASK]]:
; CHECK-NEXT:    [[IN:%.*]] = call i32 @__atsan_in_region()
; CHECK-NEXT:    [[IS:%.*]] = icmp ne i32 [[IN]], 0
; CHECK-NEXT:    [[OWN:%.*]] = select i1 [[IS]], ptr @atsan.closed_gate, ptr @__atsan_gate
; CHECK:       [[ENTER]]:
; CHECK-NEXT:    [[LOOPGATE:%.*]] = phi ptr [ @__atsan_gate, %entry ], [ [[OWN]], %[[ASK]] ]
; CHECK:       loop:
; CHECK:         load atomic i32, ptr [[LOOPGATE]] monotonic
; CHECK:         call void @__atsan_read4(
; CHECK:       then:
; CHECK:         load atomic i32, ptr @__atsan_gate monotonic
; CHECK:         call void @__atsan_write4(ptr %x)
; CHECK:       exit:
; CHECK-NEXT:    load atomic i32, ptr @__atsan_gate monotonic
; CHECK:         [[BEHIND:%.*]] = icmp eq ptr [[LOOPGATE]], @atsan.closed_gate
; CHECK-NEXT:    br i1 [[BEHIND]], label %[[TELL:.*]], label
; CHECK:       [[TELL]]:
; CHECK-NOT:     br
; CHECK:         call void @__atsan_read_strided(ptr {{.*}}, i64 4, i64 4, i64 {{.*}})
; CHECK-NOT:     @__atsan
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i32, ptr %p, i64 %i
  load i32, ptr %q, align 4
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

; In one straight line of code: the order stays what it is.
define void @indirect(ptr %p, ptr %x, i64 %n) {
; CHECK-LABEL: define void @indirect(
; CHECK:       loop:
; CHECK:         load atomic i32, ptr @__atsan_gate monotonic
; CHECK:         [[OUTSIDE:%.*]] = icmp eq ptr {{%.*}}, @__atsan_gate
; CHECK-NEXT:    br i1 [[OUTSIDE]], label %[[THEN:.*]], label %[[REST:.*]]
; CHECK:       [[THEN]]:
; CHECK-NEXT:    call void @__atsan_read8(ptr %q)
; CHECK-NEXT:    br label %[[REST]]
; CHECK:       [[REST]]:
; CHECK-NEXT:    call void @__atsan_write8(ptr %y)
; CHECK:       exit:
; CHECK:         call void @__atsan_read_strided(
; CHECK-NOT:     @__atsan
; CHECK:         ret void
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

; The block before the loop has another successor: the loop gets one of its own,
; so that a loop that is skipped asks nothing.
define void @skipped(ptr %p, ptr %x, i64 %n, i64 %k) {
; CHECK-LABEL: define void @skipped(
; CHECK:       entry:
; CHECK-NEXT:    %none = icmp eq i64 %n, 0
; CHECK-NEXT:    br i1 %none, label %exit, label %[[PREHEADER:.*]]
; CHECK:       [[PREHEADER]]:
; CHECK-NEXT:    load atomic i32, ptr @__atsan_gate monotonic
; CHECK:         call i32 @__atsan_in_region()
; CHECK:         br i1 %c, label %loop, label %[[EDGE:.*]]
; CHECK:       [[EDGE]]:
; CHECK-NEXT:    load atomic i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_read_strided(
; CHECK:       exit:
; CHECK-NEXT:    ret void
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i32, ptr %p, i64 %i
  load i32, ptr %q, align 4
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

; The same bytes in every iteration: once, for all of them.
define void @invariant(ptr %limit, ptr %x, i64 %n) {
; CHECK-LABEL: define void @invariant(
; CHECK:       exit:
; CHECK:         icmp eq ptr {{%.*}}, @atsan.closed_gate
; CHECK:         call void @__atsan_read8(ptr %limit)
; CHECK-NOT:     @__atsan
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %v = load i64, ptr %limit
  %odd = icmp eq i64 %i, %v
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
