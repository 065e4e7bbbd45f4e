; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: the hooks stand in place, behind a test that is as likely as not, which
; is short; in code that runs very often they are unlikely and stand apart.

target datalayout = "e-i64:64-n8:16:32:64-S128"

declare void @use()

define void @often(ptr %p, i1 %c) {
; CHECK-LABEL: define void @often(
; CHECK:         br i1 {{.*}}, !prof [[EQUAL:![0-9]+]]
; CHECK:         br i1 {{.*}}, !prof [[UNLIKELY:![0-9]+]]
; CHECK:         br i1 {{.*}}, !prof [[EQUAL]]
  store i32 1, ptr %p
  br label %loop
loop:
  store i32 2, ptr %p
  call void @use()
  br i1 %c, label %loop, label %over, !prof !0
over:
  store i32 3, ptr %p
  ret void
}

; The twin: a thousand times is not yet very often.
define void @less_often(ptr %p, i1 %c) {
; CHECK-LABEL: define void @less_often(
; CHECK:       loop:
; CHECK:         br i1 {{.*}}, !prof [[EQUAL]]
; CHECK:       ret void
  br label %loop
loop:
  store i32 2, ptr %p
  call void @use()
  br i1 %c, label %loop, label %over, !prof !1
over:
  ret void
}

; CHECK: [[EQUAL]] = !{!"branch_weights", i32 1, i32 1}
; CHECK: [[UNLIKELY]] = !{!"branch_weights", i32 1, i32 1048575}
!0 = !{!"branch_weights", i32 3000, i32 1}
!1 = !{!"branch_weights", i32 1000, i32 1}
