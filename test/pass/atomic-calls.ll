; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: calls of libatomic are bracketed like atomic instructions, with the
; right kind; the buffers of values are plain accesses before and behind. Calls
; that only look like these are left alone.

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @load(ptr %p, ptr %to) {
; CHECK-LABEL: define void @load(
; CHECK:         call i32 @__atsan_atomic_enter(ptr %p, i64 32)
; CHECK:         call void @__atomic_load(i64 32, ptr %p, ptr %to, i32 5)
; CHECK:         call void @__atsan_atomic_exit(ptr %p, i64 32, i32 0, i32
; CHECK:         call void @__atsan_write_range(ptr %to, i64 32)
; CHECK:         ret void
  call void @__atomic_load(i64 32, ptr %p, ptr %to, i32 5)
  ret void
}

define void @store(ptr %p, ptr %from) {
; CHECK-LABEL: define void @store(
; CHECK:         call void @__atsan_read_range(ptr %from, i64 32)
; CHECK:         call i32 @__atsan_atomic_enter(ptr %p, i64 32)
; CHECK:         call void @__atomic_store(i64 32, ptr %p, ptr %from, i32 5)
; CHECK:         call void @__atsan_atomic_exit(ptr %p, i64 32, i32 1, i32
  call void @__atomic_store(i64 32, ptr %p, ptr %from, i32 5)
  ret void
}

define void @exchange(ptr %p, ptr %from, ptr %to) {
; CHECK-LABEL: define void @exchange(
; CHECK:         call void @__atsan_read_range(ptr %from, i64 32)
; CHECK:         call void @__atomic_exchange(i64 32, ptr %p, ptr %from, ptr %to, i32 5)
; CHECK:         call void @__atsan_atomic_exit(ptr %p, i64 32, i32 2, i32
; CHECK:         call void @__atsan_write_range(ptr %to, i64 32)
  call void @__atomic_exchange(i64 32, ptr %p, ptr %from, ptr %to, i32 5)
  ret void
}

; What is expected is written only if the exchange fails.
define i1 @compare_exchange(ptr %p, ptr %expected, ptr %from) {
; CHECK-LABEL: define i1 @compare_exchange(
; CHECK-DAG:     call void @__atsan_read_range(ptr %from, i64 32)
; CHECK-DAG:     call void @__atsan_read_range(ptr %expected, i64 32)
; CHECK:         call i32 @__atsan_atomic_enter(ptr %p, i64 32)
; CHECK:         %done = notail call i1 @__atomic_compare_exchange(
; CHECK:         [[KIND:%.*]] = select i1 {{%.*}}, i32 2, i32 3
; CHECK:         call void @__atsan_atomic_exit(ptr %p, i64 32, i32 [[KIND]], i32
; CHECK:         [[FAILED:%.*]] = zext i1 {{%.*}} to i64
; CHECK:         [[SIZE:%.*]] = mul i64 32, [[FAILED]]
; CHECK:         call void @__atsan_write_range(ptr %expected, i64 [[SIZE]])
  %done = call i1 @__atomic_compare_exchange(i64 32, ptr %p, ptr %expected, ptr %from, i32 5, i32 5)
  ret i1 %done
}

define i128 @sized(ptr %p, ptr %expected) {
; CHECK-LABEL: define i128 @sized(
; CHECK:         call i128 @__atomic_load_16(
; CHECK:         call void @__atsan_atomic_exit(ptr %p, i64 16, i32 0, i32
; CHECK:         call void @__atomic_store_2(
; CHECK:         call void @__atsan_atomic_exit(ptr %p, i64 2, i32 1, i32
; CHECK:         call i128 @__atomic_fetch_add_16(
; CHECK:         call void @__atsan_atomic_exit(ptr %p, i64 16, i32 2, i32
; CHECK:         call i1 @__atomic_compare_exchange_16(
; CHECK:         select i1 {{%.*}}, i32 2, i32 3
; CHECK:         call void @__atsan_atomic_exit(ptr %p, i64 16, i32
  %v = call i128 @__atomic_load_16(ptr %p, i32 5)
  call void @__atomic_store_2(ptr %p, i16 1, i32 5)
  %w = call i128 @__atomic_fetch_add_16(ptr %p, i128 %v, i32 5)
  %done = call i1 @__atomic_compare_exchange_16(ptr %p, ptr %expected, i128 %v, i32 5, i32 5)
  ret i128 %w
}

; CHECK-LABEL: define void @none(
; CHECK-NOT:     atomic_enter
; CHECK:         ret void
define void @none(ptr %p, i64 %n) {
  call void @__atomic_load(i64 %n, ptr %p, ptr %p, i32 5)
  call void @__atomic_signal(ptr %p, i32 5)
  call void @__atomic_store_32(ptr %p, i256 1, i32 5)
  call void @__atomic_begin()
  ret void
}

declare void @__atomic_load(i64, ptr, ptr, i32)
declare void @__atomic_store(i64, ptr, ptr, i32)
declare void @__atomic_exchange(i64, ptr, ptr, ptr, i32)
declare i1 @__atomic_compare_exchange(i64, ptr, ptr, ptr, i32, i32)
declare i128 @__atomic_load_16(ptr, i32)
declare void @__atomic_store_2(ptr, i16, i32)
declare void @__atomic_store_32(ptr, i256, i32)
declare i128 @__atomic_fetch_add_16(ptr, i128, i32)
declare i1 @__atomic_compare_exchange_16(ptr, ptr, i128, i32, i32)
declare void @__atomic_signal(ptr, i32)
declare void @__atomic_begin()
