; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: a value that the optimizer loads before a loop, and that the loop begins
; with, is told before the loop, also where control may pass it by, so that what
; the loop accesses is told as a whole. Where later rounds get the value by another
; way, it is told in the round that does.

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define void @begins_with(
; CHECK:       load i64, ptr %to
; CHECK-NOT:   call void @__atsan
; CHECK:       br i1 %any, label %[[ENTRY:.*]], label %exit
; CHECK:       [[ENTRY]]:
; CHECK-NEXT:  load volatile i32, ptr @__atsan_gate
; CHECK:       call void @__atsan_read8(ptr %to)
; CHECK:       loop:
; CHECK-NOT:   call void
; CHECK:       br i1 %done, label %{{.*}}, label %loop
; CHECK:       call void @__atsan_write_strided(ptr %{{.*}}, i64 8, i64 8, i64 %{{.*}})
define void @begins_with(ptr %to, ptr %v, i64 %n) {
entry:
  %x = load i64, ptr %to
  %any = icmp ne i64 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ %x, %entry ], [ %more, %loop ]
  %more = add i64 %sum, %i
  %at = getelementptr i64, ptr %v, i64 %i
  store i64 %more, ptr %at
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; CHECK-LABEL: define void @gets_later(
; CHECK:       load i64, ptr %to
; CHECK-NOT:   call void @__atsan
; CHECK:       loop:
; CHECK:       %[[BYTES:.*]] = mul i64 8, %
; CHECK:       call void @__atsan_read_range(ptr %to, i64 %[[BYTES]])
; CHECK:       ret void
define void @gets_later(ptr %to, ptr %v, i64 %n) {
entry:
  %x = load i64, ptr %to
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %last = phi i64 [ 0, %entry ], [ %sum, %loop ]
  %at = getelementptr i64, ptr %v, i64 %i
  store i64 %last, ptr %at
  %sum = add i64 %x, %i
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; Loads without a mark of the source are the optimizer's.
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"atsan.marked", i32 1}
