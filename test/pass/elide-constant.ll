; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; Intent: reads of memory that nobody writes are not instrumented: constant
; globals, invariant loads, and what a vtable pointer points to.

target datalayout = "e-i64:64-n8:16:32:64-S128"

; STATS: {{^ *}}5 atsan - accesses skipped: constant memory

@table = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@variable = global [4 x i32] zeroinitializer

define i32 @constant_global(i64 %i) {
; CHECK-LABEL: define i32 @constant_global(
; CHECK-NOT:     @__atsan
; CHECK:         ret
  %p = getelementptr [4 x i32], ptr @table, i64 0, i64 %i
  %v = load i32, ptr %p
  %w = load atomic i32, ptr @table seq_cst, align 4
  ret i32 %v
}

define i32 @invariant(ptr %p) {
; CHECK-LABEL: define i32 @invariant(
; CHECK-NOT:     @__atsan
; CHECK:         ret
  %v = load i32, ptr %p, !invariant.load !0
  ret i32 %v
}

define void @copy_of_constant(ptr %p) {
; CHECK-LABEL: define void @copy_of_constant(
; CHECK-NOT:     @__atsan_read
; CHECK:         call void @__atsan_write_range(ptr %p, i64 16)
; CHECK-NOT:     @__atsan_read
; CHECK:         ret
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr align 4 @table, i64 16, i1 false)
  ret void
}

; The vtable pointer is data of the object; what it points to is not.
define ptr @virtual(ptr %object) {
; CHECK-LABEL: define ptr @virtual(
; CHECK:         call void @__atsan_read8(ptr %object)
; CHECK-NOT:     @__atsan_read8(ptr %slot)
; CHECK:         ret
  %vtable = load ptr, ptr %object, !tbaa !1
  %slot = getelementptr ptr, ptr %vtable, i64 2
  %function = load ptr, ptr %slot
  ret ptr %function
}

; The twins.

define i32 @variable_global(i64 %i) {
; CHECK-LABEL: define i32 @variable_global(
; CHECK:         call void @__atsan_read4(ptr %p)
  %p = getelementptr [4 x i32], ptr @variable, i64 0, i64 %i
  %v = load i32, ptr %p
  ret i32 %v
}

define i32 @ordinary_pointer(ptr %object) {
; CHECK-LABEL: define i32 @ordinary_pointer(
; CHECK:         call void @__atsan_read8(ptr %object)
; CHECK:         call void @__atsan_read4(ptr %p)
  %p = load ptr, ptr %object, !tbaa !4
  %v = load i32, ptr %p
  ret i32 %v
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!0 = !{}
!1 = !{!2, !2, i64 0}
!2 = !{!"vtable pointer", !3, i64 0}
!3 = !{!"Simple C++ TBAA"}
!4 = !{!5, !5, i64 0}
!5 = !{!"any pointer", !3, i64 0}
