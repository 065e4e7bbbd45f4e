; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: a plain access keeps its instruction and gets one inlined gate test
; with the hook of its size in a block behind it, as likely as not: in place.

target datalayout = "e-i64:64-n8:16:32:64-S128"

; CHECK: @__atsan_gate = external dso_local global i32

define i8 @read1(ptr %p) {
; CHECK-LABEL: define i8 @read1(
; CHECK-NEXT:    [[V:%.*]] = load i8, ptr %p, align 1
; CHECK-NEXT:    [[GATE:%.*]] = load volatile i32, ptr @__atsan_gate, align 4, !nosanitize
; CHECK-NEXT:    [[OPEN:%.*]] = icmp ne i32 [[GATE]], 0
; CHECK-NEXT:    br i1 [[OPEN]], label %[[HOOKS:.*]], label %[[REST:.*]], !prof [[EQUAL:![0-9]+]]
; CHECK:       [[HOOKS]]:
; CHECK-NEXT:    call void @__atsan_read1(ptr %p) [[NOUNWIND:#[0-9]+]]
; CHECK-NEXT:    br label %[[REST]]
; CHECK:       [[REST]]:
; CHECK-NEXT:    ret i8 [[V]]
  %v = load i8, ptr %p
  ret i8 %v
}

define i16 @read2(ptr %p) {
; CHECK-LABEL: define i16 @read2(
; CHECK:         call void @__atsan_read2(ptr %p)
  %v = load i16, ptr %p
  ret i16 %v
}

define float @read4(ptr %p) {
; CHECK-LABEL: define float @read4(
; CHECK:         call void @__atsan_read4(ptr %p)
  %v = load float, ptr %p
  ret float %v
}

define ptr @read8(ptr %p) {
; CHECK-LABEL: define ptr @read8(
; CHECK:         call void @__atsan_read8(ptr %p)
  %v = load ptr, ptr %p
  ret ptr %v
}

define void @write1(ptr %p) {
; CHECK-LABEL: define void @write1(
; CHECK-NEXT:    store i8 1, ptr %p, align 1
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_write1(ptr %p)
  store i8 1, ptr %p
  ret void
}

define void @write2(ptr %p) {
; CHECK-LABEL: define void @write2(
; CHECK:         call void @__atsan_write2(ptr %p)
  store i16 1, ptr %p
  ret void
}

define void @write4(ptr %p) {
; CHECK-LABEL: define void @write4(
; CHECK:         call void @__atsan_write4(ptr %p)
  store i32 1, ptr %p
  ret void
}

define void @write8(ptr %p) {
; CHECK-LABEL: define void @write8(
; CHECK:         call void @__atsan_write8(ptr %p)
  store double 1.0, ptr %p
  ret void
}

; CHECK: attributes [[NOUNWIND]] = { nomerge nounwind }
; CHECK: [[EQUAL]] = !{!"branch_weights", i32 1, i32 1}
