; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: what a call of log may change is errno, an int. So the address of an
; array, which is in memory, is loaded in front of the loop, and the loop is told
; as a whole. All else that may change it, or keep it from being loaded, leaves
; it where it is.

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare double @log(double) nounwind willreturn
declare void @other() nounwind willreturn

define double @array_behind_a_pointer(ptr %vector, i64 %n) {
; CHECK-LABEL: define double @array_behind_a_pointer(
; CHECK:       entry:
; CHECK:         %array = load ptr, ptr %vector
; CHECK:         call void @__atsan_read8(ptr %vector)
; CHECK:       loop:
; CHECK-NOT:     @__atsan
; CHECK:       exit:
; CHECK:         call void @__atsan_read_strided(
; CHECK:         ret double
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %array = load ptr, ptr %vector, !tbaa !2
  %q = getelementptr double, ptr %array, i64 %i
  %x = load double, ptr %q, !tbaa !5
  %y = call double @log(double %x)
  %t = fadd double %s, %y
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret double %t
}

; One address may be found at another. Numbers stored there are no pointers.
define void @through_two_pointers(ptr %object, i64 %n) {
; CHECK-LABEL: define void @through_two_pointers(
; CHECK:       entry:
; CHECK-NEXT:    %vector = load ptr, ptr %object
; CHECK-NEXT:    %array = load ptr, ptr %vector
; CHECK:       loop:
; CHECK-NOT:     @__atsan
; CHECK:       exit:
; CHECK:         call void @__atsan_write_strided(
; CHECK:         ret void
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %f = uitofp i64 %i to double
  %y = call double @log(double %f)
  %vector = load ptr, ptr %object, !tbaa !2
  %array = load ptr, ptr %vector, !tbaa !2
  %q = getelementptr double, ptr %array, i64 %i
  store double %y, ptr %q, !tbaa !5
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define i64 @number(
; CHECK:       loop:
; CHECK:         load i64, ptr %p
define i64 @number(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %f = uitofp i64 %i to double
  %y = call double @log(double %f)
  %a = load i64, ptr %p, !tbaa !7
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i64 %a
}

; As with -fno-strict-aliasing.
; CHECK-LABEL: define ptr @unknown_type(
; CHECK:       loop:
; CHECK:         load ptr, ptr %p
define ptr @unknown_type(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %f = uitofp i64 %i to double
  %y = call double @log(double %f)
  %a = load ptr, ptr %p
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret ptr %a
}

; CHECK-LABEL: define void @under_a_condition(
; CHECK:       then:
; CHECK:         load ptr, ptr %p
define void @under_a_condition(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %f = uitofp i64 %i to double
  %y = call double @log(double %f)
  %d = fcmp ogt double %y, 1.0
  br i1 %d, label %then, label %latch
then:
  %a = load ptr, ptr %p, !tbaa !2
  store double %y, ptr %a, !tbaa !5
  br label %latch
latch:
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @changed_by_a_store(
; CHECK:       loop:
; CHECK:         load ptr, ptr %p
define void @changed_by_a_store(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %f = uitofp i64 %i to double
  %y = call double @log(double %f)
  %a = load ptr, ptr %p, !tbaa !2
  %b = getelementptr i8, ptr %a, i64 8
  store ptr %b, ptr %p, !tbaa !2
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @changed_by_a_call(
; CHECK:       loop:
; CHECK:         load ptr, ptr %p
define void @changed_by_a_call(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %f = uitofp i64 %i to double
  %y = call double @log(double %f)
  call void @other()
  %a = load ptr, ptr %p, !tbaa !2
  store double %y, ptr %a, !tbaa !5
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @changed_by_another_thread(
; CHECK:       loop:
; CHECK:         load ptr, ptr %p
define void @changed_by_another_thread(ptr %p, ptr %flag, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %f = uitofp i64 %i to double
  %y = call double @log(double %f)
  %g = load atomic i64, ptr %flag acquire, align 8
  %a = load ptr, ptr %p, !tbaa !2
  store double %y, ptr %a, !tbaa !5
  %next = add i64 %i, %g
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @volatile(
; CHECK:       loop:
; CHECK:         load volatile ptr, ptr %p
define void @volatile(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %f = uitofp i64 %i to double
  %y = call double @log(double %f)
  %a = load volatile ptr, ptr %p, !tbaa !2
  store double %y, ptr %a, !tbaa !5
  %next = add i64 %i, 1
  %c = icmp ult i64 %next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

!0 = !{!"Simple C++ TBAA"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!3, !4, i64 0}
!3 = !{!"Vector", !4, i64 0}
!4 = !{!"any pointer", !1, i64 0}
!5 = !{!6, !6, i64 0}
!6 = !{!"double", !1, i64 0}
!7 = !{!8, !8, i64 0}
!8 = !{!"long", !1, i64 0}
