; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: a loop is reported as a whole, too, when there are loops in it that
; access nothing. What an inner loop accesses is up to the inner loop.

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @around_a_loop(ptr %p, i64 %n, i64 %seed) {
; CHECK-LABEL: define void @around_a_loop(
; CHECK:       loop:
; CHECK-NOT:     @__atsan
; CHECK:       exit:
; CHECK:         call void @__atsan_write_strided(
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %start = phi i64 [ %seed, %entry ], [ %r, %latch ]
  br label %retry
retry:
  %old = phi i64 [ %start, %loop ], [ %r, %retry ]
  %r = mul i64 %old, 25214903917
  %again = icmp slt i64 %r, 0
  br i1 %again, label %retry, label %latch
latch:
  %q = getelementptr i64, ptr %p, i64 %i
  store i64 %r, ptr %q
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Of x and y in turns, the inner loop has y before x as well.
define void @around_accesses(ptr %p, i64 %n, i64 %m, ptr %x, ptr %y) {
; CHECK-LABEL: define void @around_accesses(
; CHECK:       inner:
; CHECK-NOT:     @__atsan
; CHECK:       latch:
; CHECK:         call void @__atsan_read8(ptr %x)
; CHECK:         call void @__atsan_write8(ptr %y)
; CHECK:         call void @__atsan_write8(ptr %q)
; CHECK-NOT:     strided
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %loop ], [ %following, %inner ]
  %v = load i64, ptr %x
  store i64 %v, ptr %y
  %following = add i64 %j, 1
  %d = icmp ult i64 %following, %m
  br i1 %d, label %inner, label %latch
latch:
  %q = getelementptr i64, ptr %p, i64 %i
  store i64 1, ptr %q
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
