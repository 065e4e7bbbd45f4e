; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; RUN: opt -load-pass-plugin=%plugin -passes='atsan,verify' -disable-output %s
; Intent: where some iterations make an access under a condition, what all of
; them make is reported in pieces: at each such access, before its own hook, and
; behind the loop. The only cost while the gate is closed is a value that the
; condition changes.

; STATS-DAG: {{^ *}}7 atsan - loops reported as a whole
; STATS-DAG: {{^ *}}7 atsan - loops cut by conditions among these

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; One access in front of the cut: one hook for many iterations.
define void @reads(ptr %p, ptr %x, i64 %n) {
; CHECK-LABEL: define void @reads(
; CHECK:       loop:
; CHECK-NEXT:    [[SINCE:%.*]] = phi i64 [ 0, %entry ], [ [[NOW:%.*]], %latch ]
; CHECK-NOT:     @__atsan
; CHECK:         br i1 %zero, label %latch, label %then
; CHECK:       then:
; CHECK-NEXT:    [[I:%.*]] = freeze i64 %i
; CHECK-NEXT:    [[D:%.*]] = sub i64 [[I]], 0
; CHECK-NEXT:    [[UNTIL:%.*]] = add i64 [[D]], 1
; CHECK-NEXT:    store i32 1, ptr %x
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         [[N:%.*]] = sub i64 [[UNTIL]], [[SINCE]]
; CHECK:         icmp ne i64 [[N]], 0
; CHECK-NEXT:    br i1 {{%.*}}, label %[[SOME:.*]], label %[[NONE:.*]]
; CHECK:       [[SOME]]:
; CHECK-NEXT:    icmp ugt i64 [[N]], 4
; CHECK-NEXT:    br i1 {{%.*}}, label %[[MANY:.*]], label %[[FEW:.*]]
; CHECK:       [[MANY]]:
; CHECK-NEXT:    mul i64 [[SINCE]], 4
; CHECK:         call void @__atsan_read_strided(ptr {{%.*}}, i64 4, i64 4, i64 [[N]])
; CHECK:       [[FEW]]:
; CHECK:         call void @__atsan_read4(
; CHECK:       [[NONE]]:
; CHECK-NEXT:    call void @__atsan_write4(ptr %x)
; CHECK:       latch:
; CHECK-NEXT:    [[NOW]] = phi i64 [ [[UNTIL]], %{{.*}} ], [ [[SINCE]], %loop ]
; CHECK:       exit:
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         [[REST:%.*]] = sub i64 {{%.*}}, [[NOW]]
; CHECK:         call void @__atsan_read_strided(ptr {{%.*}}, i64 4, i64 4, i64 [[REST]])
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  %zero = icmp eq i32 %v, 0
  br i1 %zero, label %latch, label %then
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

; What follows the cut has been done once less there. Several accesses in the
; order of the loop, or in a region reads first; each in as many iterations as it
; was made in.
define void @around(ptr %p, ptr %x, i64 %n) {
; CHECK-LABEL: define void @around(
; CHECK:         br i1 %zero, label %latch, label %then
; CHECK:       then:
; CHECK:         [[BEFORE:%.*]] = call i64 @llvm.usub.sat.i64(i64 [[SINCE:%.*]], i64 1)
; CHECK-NEXT:    [[N0:%.*]] = sub i64 [[UNTIL:%.*]], [[SINCE]]
; CHECK-NEXT:    [[END:%.*]] = sub i64 [[UNTIL]], 1
; CHECK-NEXT:    [[N1:%.*]] = sub i64 [[END]], [[BEFORE]]
; CHECK-NEXT:    [[ALL:%.*]] = sub i64 [[UNTIL]], [[BEFORE]]
; CHECK:         [[MANY:%.*]] = icmp ugt i64 [[ALL]], 4
; CHECK-NEXT:    br i1 [[MANY]], label %[[ASK:[^,]*]], label %[[GO:.*]]
; CHECK:       [[ASK]]:
; CHECK-NEXT:    [[CALL:%.*]] = notail call i32 @__atsan_in_region()
; CHECK-NEXT:    [[IN:%.*]] = icmp ne i32 [[CALL]], 0
; CHECK:       [[GO]]:
; CHECK-NEXT:    [[BOTH:%.*]] = phi i1 [ false, %{{.*}} ], [ [[IN]], %[[ASK]] ]
; CHECK-NEXT:    br i1 [[BOTH]]
; CHECK:         call void @__atsan_read_strided(ptr {{%.*}}, i64 4, i64 4, i64 [[N0]])
; CHECK:         call void @__atsan_write_strided(ptr {{%.*}}, i64 4, i64 4, i64 [[N1]])
; CHECK:         [[K:%.*]] = add i64 [[BEFORE]],
; CHECK-NEXT:    [[K0:%.*]] = sub i64 [[K]], [[SINCE]]
; CHECK-NEXT:    [[C0:%.*]] = icmp ult i64 [[K0]], [[N0]]
; CHECK-NEXT:    br i1 [[C0]]
; CHECK:         call void @__atsan_read4(
; CHECK:         [[K1:%.*]] = sub i64 [[K]], [[BEFORE]]
; CHECK-NEXT:    [[C1:%.*]] = icmp ult i64 [[K1]], [[N1]]
; CHECK-NEXT:    br i1 [[C1]]
; CHECK:         call void @__atsan_write4(
; CHECK:         call void @__atsan_write4(ptr %x)
; CHECK:       latch:
; CHECK-NOT:     @__atsan
; CHECK:       exit:
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  %zero = icmp eq i32 %v, 0
  br i1 %zero, label %latch, label %then
then:
  store i32 1, ptr %x
  br label %latch
latch:
  store i32 0, ptr %q
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Cuts at two places: which was the last one is known, too.
define void @two_places(ptr %p, ptr %x, i64 %n) {
; CHECK-LABEL: define void @two_places(
; CHECK:       loop:
; CHECK-DAG:     [[SINCE:%.*]] = phi i64 [ 0, %entry ],
; CHECK-DAG:     [[POSITION:%.*]] = phi i32 [ 0, %entry ],
; CHECK:         br i1 %zero, label %middle, label %then
; CHECK:       then:
; CHECK:         icmp ugt i32 [[POSITION]], 0
; CHECK:         call void @__atsan_write4(ptr %x)
; CHECK:       middle:
; CHECK-NEXT:    [[M:%.*]] = phi i32 [ 1, %{{.*}} ], [ [[POSITION]], %loop ]
; CHECK:         br i1 %zero2, label %latch, label %then2
; CHECK:       then2:
; CHECK:         icmp ugt i32 [[M]], 0
; CHECK:         icmp ugt i32 [[M]], 1
; CHECK:         call void @__atsan_write4(ptr %x)
; CHECK:       latch:
; CHECK:         phi i32 [ 2, %{{.*}} ], [ [[M]], %middle ]
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  %zero = icmp eq i32 %v, 0
  br i1 %zero, label %middle, label %then
then:
  store i32 1, ptr %x
  br label %middle
middle:
  %q2 = getelementptr i8, ptr %q, i64 1000
  %v2 = load i32, ptr %q2
  %zero2 = icmp eq i32 %v2, 0
  br i1 %zero2, label %latch, label %then2
then2:
  store i32 2, ptr %x
  br label %latch
latch:
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A condition under a condition: nothing is left to report there. The other
; branch has a cut of its own.
define void @nested(ptr %p, ptr %x, i64 %n) {
; CHECK-LABEL: define void @nested(
; CHECK:       then:
; CHECK:         call void @__atsan_read_strided(
; CHECK:         call void @__atsan_write4(ptr %x)
; CHECK:       inner:
; CHECK-NEXT:    store i32 2, ptr %x
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK-NOT:     strided
; CHECK:         call void @__atsan_write4(ptr %x)
; CHECK:       else:
; CHECK:         call void @__atsan_read_strided(
; CHECK:         call void @__atsan_write4(ptr %x)
; CHECK:       latch:
; CHECK:         phi i64
; CHECK:       exit:
; CHECK:         call void @__atsan_read_strided(
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %q
  %zero = icmp eq i32 %v, 0
  br i1 %zero, label %else, label %then
then:
  store i32 1, ptr %x
  %one = icmp eq i32 %v, 1
  br i1 %one, label %inner, label %latch
inner:
  store i32 2, ptr %x
  br label %latch
else:
  store i32 3, ptr %x
  br label %latch
latch:
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The access under the condition may be of any kind, and its address unknown.
define void @any_access(ptr %p, ptr %x, i64 %n) {
; CHECK-LABEL: define void @any_access(
; CHECK:       then:
; CHECK:         call void @__atsan_read_strided(
; CHECK:         call void @__atsan_read8(ptr %y)
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %q
  %zero = icmp eq i64 %v, 0
  br i1 %zero, label %latch, label %then
then:
  %y = getelementptr i64, ptr %x, i64 %v
  load i64, ptr %y
  br label %latch
latch:
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A counter of 8 bits that is over when it comes round: as many iterations as it
; has values, and still none before the first cut. Downwards, by two.
define void @narrow_counter(ptr %p, ptr %x) {
; CHECK-LABEL: define void @narrow_counter(
; CHECK:       loop:
; CHECK-NEXT:    [[SINCE:%.*]] = phi i64 [ 0, %entry ],
; CHECK:       then:
; CHECK-NEXT:    [[I:%.*]] = freeze i8 %i
; CHECK-NEXT:    [[D:%.*]] = sub i8 -2, [[I]]
; CHECK-NEXT:    [[W:%.*]] = zext i8 [[D]] to i64
; CHECK-NEXT:    [[UNTIL:%.*]] = add i64 [[W]], 2
; CHECK:         udiv exact i64 [[SINCE]], 2
; CHECK:         udiv exact i64 [[UNTIL]], 2
entry:
  br label %loop
loop:
  %i = phi i8 [ -2, %entry ], [ %next, %latch ]
  %v = load i32, ptr %p
  %zero = icmp eq i32 %v, 0
  br i1 %zero, label %latch, label %then
then:
  store i32 1, ptr %x
  br label %latch
latch:
  %next = add nuw i8 %i, -2
  %c = icmp ne i8 %i, 0
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A pointer counts.
define void @pointer_counter(ptr %p, ptr %end, ptr %x) {
; CHECK-LABEL: define void @pointer_counter(
; CHECK:       then:
; CHECK-NEXT:    [[Q:%.*]] = freeze ptr %q
; CHECK-NEXT:    [[A:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT:    [[B:%.*]] = ptrtoint ptr [[Q]] to i64
; CHECK-NEXT:    [[D:%.*]] = sub i64 [[B]], [[A]]
; CHECK-NEXT:    add i64 [[D]], 72
; CHECK:         udiv exact i64 {{%.*}}, 72
; CHECK:         call void @__atsan_read_strided(ptr {{%.*}}, i64 8, i64 72, i64 {{%.*}})
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %latch ]
  %v = load i64, ptr %q
  %zero = icmp eq i64 %v, 0
  br i1 %zero, label %latch, label %then
then:
  store i32 1, ptr %x
  br label %latch
latch:
  %next = getelementptr inbounds i8, ptr %q, i64 72
  %c = icmp ne ptr %next, %end
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
