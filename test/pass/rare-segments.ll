; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: where code runs seldom, or is to be small above all, hooks are called
; without a test of the gate; everywhere else with one.

target datalayout = "e-i64:64-n8:16:32:64-S128"

declare void @use()
declare void @fail() noreturn cold
declare i32 @__gxx_personality_v0(...)

define void @cleanup(ptr %p) personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: define void @cleanup(
; CHECK:       bad:
; CHECK-NEXT:    landingpad
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    store i32 1, ptr %p
; CHECK-NEXT:    call void @__atsan_write4(ptr %p)
  invoke void @use() to label %ok unwind label %bad
ok:
  ret void
bad:
  %e = landingpad { ptr, i32 } cleanup
  store i32 1, ptr %p
  resume { ptr, i32 } %e
}

define void @error(ptr %p, i1 %c) {
; CHECK-LABEL: define void @error(
; CHECK:       bad:
; CHECK-NEXT:    store i32 1, ptr %p
; CHECK-NEXT:    call void @__atsan_write4(ptr %p)
  br i1 %c, label %bad, label %ok
ok:
  ret void
bad:
  store i32 1, ptr %p
  call void @fail()
  unreachable
}

define void @small(ptr %p) minsize {
; CHECK-LABEL: define void @small(
; CHECK-NEXT:    store i32 1, ptr %p
; CHECK-NEXT:    call void @__atsan_write4(ptr %p)
  store i32 1, ptr %p
  ret void
}

define void @initializer(ptr %p) section ".text.startup" {
; CHECK-LABEL: define void @initializer(
; CHECK-NEXT:    store i32 1, ptr %p
; CHECK-NEXT:    call void @__atsan_write4(ptr %p)
  store i32 1, ptr %p
  ret void
}

; The twins: each of these tests the gate.

; A case of a switch is rare, but in each call there is one.
define void @case(i32 %kind, ptr %p) {
; CHECK-LABEL: define void @case(
; CHECK:       chosen:
; CHECK-NEXT:    store i32 1, ptr %p
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
  switch i32 %kind, label %other [
    i32 0, label %other
    i32 1, label %other
    i32 2, label %other
    i32 3, label %other
    i32 4, label %other
    i32 5, label %other
    i32 6, label %other
    i32 7, label %other
    i32 8, label %other
    i32 9, label %other
    i32 10, label %other
    i32 11, label %other
    i32 12, label %other
    i32 13, label %other
    i32 14, label %other
    i32 15, label %other
    i32 16, label %other
    i32 17, label %other
    i32 18, label %other
    i32 19, label %other
    i32 20, label %other
    i32 21, label %other
    i32 22, label %other
    i32 23, label %other
    i32 24, label %other
    i32 25, label %other
    i32 26, label %other
    i32 27, label %other
    i32 28, label %other
    i32 29, label %other
    i32 30, label %other
    i32 31, label %chosen
  ]
chosen:
  store i32 1, ptr %p
  br label %other
other:
  ret void
}

; In a loop only what is known to be rare is, not what LLVM guesses.
define void @in_loop(ptr %p, i1 %c, i1 %d, i1 %e) {
; CHECK-LABEL: define void @in_loop(
; CHECK:       seldom:
; CHECK-NEXT:    store i32 1, ptr %p
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:       hardly_ever:
; CHECK-NEXT:    store i32 2, ptr %p
; CHECK-NEXT:    call void @__atsan_write4(ptr %p)
  br label %loop
loop:
  call void @use()
  br i1 %c, label %seldom, label %more, !prof !0
seldom:
  store i32 1, ptr %p
  br label %more
more:
  call void @use()
  br i1 %d, label %hardly_ever, label %next, !prof !1
hardly_ever:
  store i32 2, ptr %p
  br label %next
next:
  call void @use()
  br i1 %e, label %loop, label %done
done:
  ret void
}

; What a loop did is reported with what follows it.
define void @small_loop(ptr %p, ptr %q, i64 %n) minsize {
; CHECK-LABEL: define void @small_loop(
; CHECK:         br i1 %c
; CHECK:         load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_write_strided({{.*}}, i64 4, i64 4,
; CHECK-NEXT:    call void @__atsan_write8(ptr %q)
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %j, %loop ]
  %e = getelementptr i32, ptr %p, i64 %i
  store i32 2, ptr %e
  %j = add nuw nsw i64 %i, 1
  %c = icmp eq i64 %j, %n
  br i1 %c, label %done, label %loop
done:
  store i64 1, ptr %q
  ret void
}

; Not the loops of what runs once.
define i32 @main(i32 %n, ptr %p) {
; CHECK-LABEL: define i32 @main(
; CHECK-NEXT:    store i32 1, ptr %p
; CHECK-NEXT:    call void @__atsan_write4(ptr %p)
; CHECK:       loop:
; CHECK:         store i32 2, ptr %p
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         br i1
; CHECK:         call void @__atsan_write4(ptr %p)
  store i32 1, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  store i32 2, ptr %p
  call void @use()
  %j = add i32 %i, 1
  %c = icmp eq i32 %j, %n
  br i1 %c, label %done, label %loop
done:
  ret i32 0
}

define void @often(ptr %p, i1 %c) {
; CHECK-LABEL: define void @often(
; CHECK:       half:
; CHECK-NEXT:    store i32 1, ptr %p
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         br i1
; CHECK:         call void @__atsan_write4(ptr %p)
  br i1 %c, label %half, label %done
half:
  store i32 1, ptr %p
  br label %done
done:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 900}
!1 = !{!"branch_weights", i32 1, i32 2000}
