; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; RUN: opt -load-pass-plugin=%plugin -load=%plugin -passes=atsan -atsan-loop-hooks=false -S %s | FileCheck --check-prefix=OFF %s
; Intent: a loop whose accesses are affine, and made once in every iteration, has
; no hook and no test in its body: all are reported behind it. One access by one
; hook; several in the order of the program, unless the thread is in a region.

; STATS-DAG: {{^ *}}16 atsan - loops reported as a whole
; STATS-DAG: {{^ *}}8 atsan - loops of several accesses among these
; STATS-DAG: {{^ *}}9 atsan - hooks for the reads of a loop emitted
; STATS-DAG: {{^ *}}7 atsan - hooks for the writes of a loop emitted
; STATS-DAG: {{^ *}}1 atsan - hooks for several reads of a loop at once emitted
; STATS-DAG: {{^ *}}1 atsan - hooks for several writes of a loop at once emitted

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; OFF-NOT: strided
; OFF-NOT: @__atsan_in_region
; OFF: define void @fill(
; OFF: loop:
; OFF: load volatile i32, ptr @__atsan_gate

define void @fill(ptr %p, i64 %n) !dbg !5 {
; CHECK-LABEL: define void @fill(
; CHECK:       loop:
; CHECK-NOT:     @__atsan
; CHECK:         br i1 %c, label %loop, label %exit
; CHECK:       exit:
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate, align 4, !dbg [[FILL:![0-9]+]]
; CHECK:         [[LAST:%.*]] = freeze i64 %next
; CHECK-NEXT:    [[D:%.*]] = sub i64 [[LAST]], {{%.*}}
; CHECK-NEXT:    [[N:%.*]] = add i64 [[D]], 1
; CHECK-NEXT:    [[P:%.*]] = getelementptr i32, ptr %p, i64 0
; CHECK-NEXT:    call void @__atsan_write_strided(ptr [[P]], i64 4, i64 4, i64 [[N]]) {{.*}}, !dbg [[FILL]]
; CHECK-NEXT:    br
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %q, !dbg !8
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; The exit is reached without the loop, too: the hooks get a block of their own.
define void @zero_iterations(ptr %p, i64 %n) {
; CHECK-LABEL: define void @zero_iterations(
; CHECK:         br i1 %none, label %exit, label %loop
; CHECK:         br i1 %c, label %loop, label %[[EDGE:.*]]
; CHECK:       [[EDGE]]:
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_read_strided(
; CHECK:       exit:
; CHECK-NEXT:    ret void
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i64 %i
  load i32, ptr %q
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Downwards, by two; the loop's segment and the one behind it share a test.
define i32 @down(ptr %p, i64 %n) {
; CHECK-LABEL: define i32 @down(
; CHECK:       exit:
; CHECK-NEXT:    %v = load i32, ptr %p
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         [[LAST:%.*]] = freeze i64 %next
; CHECK-NEXT:    [[D:%.*]] = sub i64 {{%.*}}, [[LAST]]
; CHECK-NEXT:    [[I:%.*]] = udiv i64 [[D]], 2
; CHECK-NEXT:    [[N:%.*]] = add i64 [[I]], 1
; CHECK-NEXT:    [[P:%.*]] = getelementptr i16, ptr %p, i64 %n
; CHECK-NEXT:    call void @__atsan_write_strided(ptr [[P]], i64 2, i64 -4, i64 [[N]])
; CHECK-NEXT:    call void @__atsan_read4(ptr %p)
; CHECK-NEXT:    br
; CHECK-NOT:     @__atsan_gate
; CHECK:         ret
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %next, %loop ]
  %q = getelementptr i16, ptr %p, i64 %i
  store i16 1, ptr %q
  %next = add i64 %i, -2
  %c = icmp sgt i64 %next, 7
  br i1 %c, label %loop, label %exit
exit:
  %v = load i32, ptr %p
  ret i32 %v
}

; Five iterations are worth it, and three are where one hook is all.
define void @five(ptr %p, ptr %r) {
; CHECK-LABEL: define void @five(
; CHECK:         call i32 @__atsan_in_region()
; CHECK:         call void @__atsan_write_strided(
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i64 %i
  %s = getelementptr i32, ptr %r, i64 %i
  %v = load i32, ptr %q
  store i32 %v, ptr %s
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, 5
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

define void @three_of_one(ptr %p) {
; CHECK-LABEL: define void @three_of_one(
; CHECK:         call void @__atsan_write_strided(
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %q
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, 3
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A column: the stride is known at run time only.
define void @column(ptr %p, i64 %n, i64 %width) {
; CHECK-LABEL: define void @column(
; CHECK:         call void @__atsan_read_strided(ptr %p, i64 8, i64 %width, i64 {{%.*}})
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = phi ptr [ %p, %entry ], [ %q.next, %loop ]
  load i64, ptr %q
  %q.next = getelementptr i8, ptr %q, i64 %width
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; R W R W ... outside regions: the write of one iteration is before the read of
; the next. Two hooks in a row would say the opposite.
define void @in_order(ptr %p, ptr %q, i64 %n) !dbg !9 {
; CHECK-LABEL: define void @in_order(
; CHECK:       loop:
; CHECK-NOT:     @__atsan
; CHECK:       exit:
; CHECK:         load volatile i32, ptr @__atsan_gate
; CHECK:         [[IN:%.*]] = notail call i32 @__atsan_in_region()
; CHECK-NEXT:    [[C:%.*]] = icmp ne i32 [[IN]], 0
; CHECK-NEXT:    br i1 [[C]], label %[[INSIDE:.*]], label %[[OUTSIDE:[^,]*]]
; CHECK:       [[INSIDE]]:
; CHECK-NEXT:    call void @__atsan_read_strided(ptr [[P:%.*]], i64 4, i64 4, i64 [[N:%.*]]) {{.*}} !dbg [[READ:![0-9]+]]
; CHECK-NEXT:    call void @__atsan_write_strided(ptr [[Q:%.*]], i64 4, i64 4, i64 [[N]]) {{.*}} !dbg [[WRITE:![0-9]+]]
; CHECK-NEXT:    br label
; CHECK:       [[OUTSIDE]]:
; CHECK-NEXT:    br label %[[AGAIN:.*]],
; CHECK:       [[AGAIN]]:
; CHECK:         getelementptr i8, ptr [[P]]
; CHECK-NEXT:    call void @__atsan_read4(ptr {{.*}}) {{.*}}, !dbg [[READ]]
; CHECK:         getelementptr i8, ptr [[Q]]
; CHECK-NEXT:    call void @__atsan_write4(ptr {{.*}}) {{.*}}, !dbg [[WRITE]]
; CHECK:         icmp eq i64 {{%.*}}, [[N]]
; CHECK-NEXT:    br i1 {{%.*}}, label {{%.*}}, label %[[AGAIN]]
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %q, i64 %i
  %v = load i32, ptr %a, !dbg !10
  store i32 %v, ptr %b, !dbg !11
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Inside a region a read that comes behind a write in the loop is still reported
; before it: see docs/soundness-pass.md.
define void @reads_first(ptr %p, ptr %q, i64 %n) {
; CHECK-LABEL: define void @reads_first(
; CHECK:         call void @__atsan_read_strided(
; CHECK-NEXT:    call void @__atsan_write_strided(
; CHECK:         call void @__atsan_write4(
; CHECK:         call void @__atsan_read4(
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %q, i64 %i
  store i32 1, ptr %b
  load i32, ptr %a
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Always the same bytes: what follows the first read and the first write adds
; nothing, however often it is done.
define void @one_location(ptr %p, i64 %n) {
; CHECK-LABEL: define void @one_location(
; CHECK:       loop:
; CHECK-NOT:     @__atsan
; CHECK:       exit:
; CHECK:         call void @__atsan_read8(ptr %p)
; CHECK-NEXT:    call void @__atsan_write8(ptr %p)
; CHECK-NEXT:    br
; CHECK-NOT:     @__atsan
; CHECK:         ret
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = load i64, ptr %p
  %w = add i64 %v, %i
  store i64 %w, ptr %p
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Two places, always the same: two iterations say all.
define void @invariant(ptr %p, ptr %q, i64 %n) {
; CHECK-LABEL: define void @invariant(
; CHECK:         [[N:%.*]] = add i64 {{%[0-9]+}}, 1
; CHECK:         call i32 @__atsan_in_region()
; CHECK:         call void @__atsan_read8(ptr %p)
; CHECK-NEXT:    call void @__atsan_write8(ptr %q)
; CHECK:         [[TWO:%.*]] = call i64 @llvm.umin.i64(i64 [[N]], i64 2)
; CHECK:         call void @__atsan_read8(ptr %p)
; CHECK-NEXT:    call void @__atsan_write8(ptr %q)
; CHECK:         icmp eq i64 {{%.*}}, [[TWO]]
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = load i64, ptr %p
  store i64 %v, ptr %q
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; What the vectorizer made of one access is reported as that: by element.
define void @wide(ptr %p, i64 %n) {
; CHECK-LABEL: define void @wide(
; CHECK:         [[N:%.*]] = mul i64 {{%.*}}, 8
; CHECK-NEXT:    call void @__atsan_read_strided(ptr {{%.*}}, i64 4, i64 4, i64 [[N]])
; CHECK-NEXT:    br
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %a, i64 4
  load <4 x i32>, ptr %a, !atsan.elements !30
  load <4 x i32>, ptr %b, !atsan.elements !30
  %next = add nuw i64 %i, 8
  %c = icmp ne i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A vector of the source is one access.
define void @vectors(ptr %p, i64 %n) {
; CHECK-LABEL: define void @vectors(
; CHECK:         call void @__atsan_write_strided(ptr {{%.*}}, i64 16, i64 16, i64 {{%.*}})
; CHECK-NEXT:    br
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  store <4 x i32> zeroinitializer, ptr %a
  %next = add nuw i64 %i, 4
  %c = icmp ne i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A member of each structure: rows of three. Outside regions one by one.
define void @rows(ptr %p, i64 %n) {
; CHECK-LABEL: define void @rows(
; CHECK:         freeze i64 %next
; CHECK:         [[N:%.*]] = add i64 {{%.*}}, 1
; CHECK:         [[Q:%.*]] = getelementptr [9 x i64], ptr %p, i64 0, i64 2
; CHECK:         call i32 @__atsan_in_region()
; CHECK:         call void @__atsan_read_rows(ptr [[Q]], i64 8, i64 3, i64 72, i64 [[N]])
; CHECK-NEXT:    br
; CHECK:         call void @__atsan_read8(
; CHECK:         call void @__atsan_read8(
; CHECK:         call void @__atsan_read8(
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr [9 x i64], ptr %p, i64 %i, i64 2
  load i64, ptr %a
  %b = getelementptr i8, ptr %a, i64 8
  load i64, ptr %b
  %c = getelementptr i8, ptr %b, i64 8
  load i64, ptr %c
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; One wide write, downwards, is a row of what it was made of.
define void @wide_rows(ptr %p, i64 %n) {
; CHECK-LABEL: define void @wide_rows(
; CHECK:         call void @__atsan_write_rows(ptr {{%.*}}, i64 4, i64 4, i64 -32, i64 {{%.*}})
; CHECK-NEXT:    br
; CHECK:         call void @__atsan_write_strided(ptr {{%.*}}, i64 4, i64 4, i64 4)
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %next, %loop ]
  %a = getelementptr [8 x i32], ptr %p, i64 %i
  store <4 x i32> zeroinitializer, ptr %a, !atsan.elements !30
  %next = add i64 %i, -1
  %more = icmp sgt i64 %next, 7
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Several blocks, if each iteration passes through all that have accesses.
define void @blocks(ptr %p, i64 %n, i64 %k) {
; CHECK-LABEL: define void @blocks(
; CHECK:       loop:
; CHECK-NOT:     @__atsan
; CHECK:       exit:
; CHECK:         [[N:%.*]] = add i64 {{%.*}}, 1
; CHECK:         call void @__atsan_read_strided({{.*}}, i64 1, i64 8, i64 [[N]])
; CHECK-NEXT:    call void @__atsan_read_strided({{.*}}, i64 4, i64 8, i64 [[N]])
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %a = getelementptr i64, ptr %p, i64 %i
  load i8, ptr %a
  %odd = icmp eq i64 %i, %k
  br i1 %odd, label %latch, label %then
then:
  br label %latch
latch:
  %b = getelementptr i8, ptr %a, i64 4
  load i32, ptr %b
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; In one transaction, what one access reads in an iteration and the other in the
; next is one stretch of memory. Outside regions it is not: each on its own.
define void @neighbours(ptr %p, i64 %n) {
; CHECK-LABEL: define void @neighbours(
; CHECK:         call i32 @__atsan_in_region()
; CHECK:         [[M:%.*]] = add i64 {{%.*}}, 1
; CHECK-NEXT:    call void @__atsan_read_strided(ptr {{%.*}}, i64 4, i64 8, i64 [[M]])
; CHECK-NEXT:    br
; CHECK:         call void @__atsan_read4(
; CHECK:         call void @__atsan_read4(
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i64 %i
  %b = getelementptr i8, ptr %a, i64 8
  load i32, ptr %b
  load i32, ptr %a
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; CHECK-DAG: [[FILL]] = !DILocation(line: 12,
; CHECK-DAG: [[READ]] = !DILocation(line: 22,
; CHECK-DAG: [[WRITE]] = !DILocation(line: 23,

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "t.c", directory: "/")
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "fill", file: !2, line: 10, scopeLine: 11, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 12, column: 3, scope: !5)
!9 = distinct !DISubprogram(name: "in_order", file: !2, line: 20, scopeLine: 21, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 22, column: 3, scope: !9)
!11 = !DILocation(line: 23, column: 3, scope: !9)
!30 = !{i64 4}
