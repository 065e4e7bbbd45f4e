; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: sizes are those in memory, exactly; a hook of fixed size is used only
; if the access cannot straddle an aligned 8-byte granule.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%packed = type <{ i8, i32, i16, i8, i32 }>
@packed = global %packed zeroinitializer, align 8
@loose = external global %packed, align 1

define void @odd_types(ptr %p) {
; CHECK-LABEL: define void @odd_types(
; CHECK:         call void @__atsan_write1(ptr %p)
; CHECK:         call void @__atsan_write_range(ptr %p, i64 3)
; CHECK:         call void @__atsan_write_range(ptr %p, i64 10)
; CHECK:         call void @__atsan_write_range(ptr %p, i64 16)
; CHECK:         call void @__atsan_write_range(ptr %p, i64 12)
; CHECK:         call void @__atsan_write1(ptr %p)
; CHECK:         call void @__atsan_write_range(ptr %p, i64 9)
  store volatile i1 true, ptr %p
  store volatile i24 0, ptr %p
  store volatile x86_fp80 0xK00000000000000000000, ptr %p
  store volatile i128 0, ptr %p
  store volatile <3 x i32> zeroinitializer, ptr %p
  store volatile <4 x i1> zeroinitializer, ptr %p
  store volatile i65 0, ptr %p
  ret void
}

define void @alignment(ptr %p) {
; CHECK-LABEL: define void @alignment(
; CHECK:         call void @__atsan_write_range(ptr %p, i64 2)
; CHECK:         call void @__atsan_write_range(ptr %p, i64 8)
; CHECK:         call void @__atsan_write8(ptr %p)
; CHECK:         call void @__atsan_write4(ptr %p)
  store volatile i16 0, ptr %p, align 1
  store volatile i64 0, ptr %p, align 4
  store volatile i64 0, ptr %p, align 8
  store volatile i32 0, ptr %p, align 16
  ret void
}

; [1,5) and [5,7) lie in the granule at 0, [8,12) in the next.
define void @contained() {
; CHECK-LABEL: define void @contained(
; CHECK:         call void @__atsan_write4(ptr getelementptr (i8, ptr @packed, i64 1))
; CHECK:         call void @__atsan_write2(ptr getelementptr (i8, ptr @packed, i64 5))
; CHECK:         call void @__atsan_write4(ptr getelementptr (i8, ptr @packed, i64 8))
  store volatile i32 0, ptr getelementptr (i8, ptr @packed, i64 1), align 1
  store volatile i16 0, ptr getelementptr (i8, ptr @packed, i64 5), align 1
  store volatile i32 0, ptr getelementptr (i8, ptr @packed, i64 8), align 1
  ret void
}

define void @not_contained() {
; CHECK-LABEL: define void @not_contained(
; CHECK:         call void @__atsan_write_range(ptr getelementptr (i8, ptr @packed, i64 5), i64 4)
; CHECK:         call void @__atsan_write_range(ptr getelementptr (i8, ptr @packed, i64 -1), i64 2)
; CHECK:         call void @__atsan_write_range(ptr getelementptr (i8, ptr @loose, i64 1), i64 4)
  store volatile i32 0, ptr getelementptr (i8, ptr @packed, i64 5), align 1
  store volatile i16 0, ptr getelementptr (i8, ptr @packed, i64 -1), align 1
  store volatile i32 0, ptr getelementptr (i8, ptr @loose, i64 1), align 1
  ret void
}

; The padding of an aggregate is not touched.
define void @aggregate(ptr %p, {i8, i64, [2 x i16]} %v, [2 x {i8, i32}] %w) {
; CHECK-LABEL: define void @aggregate(
; CHECK:         store { i8, i64, [2 x i16] } %v, ptr %p
; CHECK:         call void @__atsan_write1(ptr %p)
; CHECK:         [[A:%.*]] = getelementptr i8, ptr %p, i64 8
; CHECK-NEXT:    call void @__atsan_write8(ptr [[A]])
; CHECK:         [[B:%.*]] = getelementptr i8, ptr %p, i64 16
; CHECK-NEXT:    call void @__atsan_write4(ptr [[B]])
; CHECK:         store [2 x { i8, i32 }] %w, ptr %p
; CHECK:         call void @__atsan_write1(ptr %p)
; CHECK:         [[C:%.*]] = getelementptr i8, ptr %p, i64 4
; CHECK-NEXT:    call void @__atsan_write4(ptr [[C]])
; CHECK:         [[D:%.*]] = getelementptr i8, ptr %p, i64 8
; CHECK-NEXT:    call void @__atsan_write1(ptr [[D]])
; CHECK:         [[E:%.*]] = getelementptr i8, ptr %p, i64 12
; CHECK-NEXT:    call void @__atsan_write4(ptr [[E]])
  store {i8, i64, [2 x i16]} %v, ptr %p
  fence acquire
  store [2 x {i8, i32}] %w, ptr %p
  ret void
}
