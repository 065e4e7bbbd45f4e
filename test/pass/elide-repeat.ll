; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; Intent: an access that the one right before it stands for is not reported
; again. Whatever could change a verdict is.

target datalayout = "e-i64:64-n8:16:32:64-S128"

; STATS: {{^ *}}6 atsan - accesses skipped: repeat of the one before

declare void @callee()

define void @read_read(ptr %p) {
; CHECK-LABEL: define void @read_read(
; CHECK:         call void @__atsan_read4(ptr %p)
; CHECK-NEXT:    br
; CHECK-NOT:     @__atsan
; CHECK:         ret
  %a = load i32, ptr %p
  %b = load i32, ptr %p
  ret void
}

define void @write_read(ptr %p) {
; CHECK-LABEL: define void @write_read(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK-NEXT:    br
; CHECK-NOT:     @__atsan
; CHECK:         ret
  store i32 1, ptr %p
  %b = load i32, ptr %p
  ret void
}

define void @write_write(ptr %p) {
; CHECK-LABEL: define void @write_write(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK-NEXT:    br
; CHECK-NOT:     @__atsan
; CHECK:         ret
  store i32 1, ptr %p
  store i32 2, ptr %p
  ret void
}

define void @part(ptr %p) {
; CHECK-LABEL: define void @part(
; CHECK:         call void @__atsan_write8(ptr %p)
; CHECK-NEXT:    br
; CHECK-NOT:     @__atsan
; CHECK:         ret
  store i64 1, ptr %p
  %a = load i8, ptr %p
  ret void
}

; R W' W: the read counts.
define void @read_write(ptr %p) {
; CHECK-LABEL: define void @read_write(
; CHECK:         call void @__atsan_read4(ptr %p)
; CHECK-NEXT:    call void @__atsan_write4(ptr %p)
  %a = load i32, ptr %p
  store i32 2, ptr %p
  ret void
}

; The last read repeats the write.
define void @read_write_read(ptr %p) {
; CHECK-LABEL: define void @read_write_read(
; CHECK:         call void @__atsan_read4(ptr %p)
; CHECK-NEXT:    call void @__atsan_write4(ptr %p)
; CHECK-NEXT:    br
  %a = load i32, ptr %p
  store i32 2, ptr %p
  %b = load i32, ptr %p
  ret void
}

; W y .. W x in another thread's region makes a cycle with the second read of x.
define void @other_bytes_between(ptr %x, ptr %y) {
; CHECK-LABEL: define void @other_bytes_between(
; CHECK:         call void @__atsan_read4(ptr %x)
; CHECK-NEXT:    call void @__atsan_read4(ptr %y)
; CHECK-NEXT:    call void @__atsan_read4(ptr %x)
  %a = load i32, ptr %x
  %b = load i32, ptr %y
  %c = load i32, ptr %x
  ret void
}

define void @more_bytes(ptr %p) {
; CHECK-LABEL: define void @more_bytes(
; CHECK:         call void @__atsan_read4(ptr %p)
; CHECK-NEXT:    call void @__atsan_read8(ptr %p)
  %a = load i32, ptr %p, align 8
  %b = load i64, ptr %p
  ret void
}

define void @call_between(ptr %p) {
; CHECK-LABEL: define void @call_between(
; CHECK:         call void @__atsan_read4(ptr %p)
; CHECK:         call void @callee()
; CHECK:         call void @__atsan_read4(ptr %p)
  %a = load i32, ptr %p
  call void @callee()
  %b = load i32, ptr %p
  ret void
}

define void @atomic_between(ptr %p, ptr %q) {
; CHECK-LABEL: define void @atomic_between(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         load atomic i32, ptr %q acquire
; CHECK:         call void @__atsan_write4(ptr %p)
  store i32 1, ptr %p
  %a = load atomic i32, ptr %q acquire, align 4
  store i32 1, ptr %p
  ret void
}

define void @fence_between(ptr %p) {
; CHECK-LABEL: define void @fence_between(
; CHECK:         call void @__atsan_read4(ptr %p)
; CHECK:         fence
; CHECK:         call void @__atsan_read4(ptr %p)
  %a = load i32, ptr %p
  fence acquire
  %b = load i32, ptr %p
  ret void
}

define void @volatile_twice(ptr %p) {
; CHECK-LABEL: define void @volatile_twice(
; CHECK:         call void @__atsan_read4(ptr %p)
; CHECK:         load volatile
; CHECK:         call void @__atsan_read4(ptr %p)
  %a = load volatile i32, ptr %p
  %b = load volatile i32, ptr %p
  ret void
}

define void @volatile_copies(ptr %p) {
; CHECK-LABEL: define void @volatile_copies(
; CHECK:         call void @__atsan_write8(ptr %p)
; CHECK:         call void @llvm.memset.inline
; CHECK:         call void @__atsan_write8(ptr %p)
  call void @llvm.memset.inline.p0.i64(ptr align 8 %p, i8 0, i64 8, i1 true)
  call void @llvm.memset.inline.p0.i64(ptr align 8 %p, i8 0, i64 8, i1 true)
  ret void
}

define void @next_block(ptr %p) {
; CHECK-LABEL: define void @next_block(
; CHECK:         call void @__atsan_read4(ptr %p)
; CHECK:       next:
; CHECK:         call void @__atsan_read4(ptr %p)
  %a = load i32, ptr %p
  br label %next
next:
  %b = load i32, ptr %p
  ret void
}

; A new object at the same address is born in between.
define void @birth_between() {
; CHECK-LABEL: define void @birth_between(
; CHECK:         call void @__atsan_write4(ptr %a)
; CHECK-NEXT:    call void @__atsan_stack_death(ptr %a, i64 4)
; CHECK-NEXT:    call void @__atsan_stack_birth(ptr %a, i64 4)
; CHECK-NEXT:    call void @__atsan_write4(ptr %a)
  %a = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  store i32 1, ptr %a
  call void @llvm.lifetime.end.p0(i64 4, ptr %a)
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  store i32 1, ptr %a
  call void @use(ptr %a)
  ret void
}

; The birth does not stand for the access.
define i32 @birth_before() {
; CHECK-LABEL: define i32 @birth_before(
; CHECK:         call void @__atsan_stack_birth(ptr %a, i64 4)
; CHECK-NEXT:    call void @__atsan_read4(ptr %a)
  %a = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  %v = load i32, ptr %a
  call void @use(ptr %a)
  ret i32 %v
}

; Fields are accessed one by one; the last one is not the first.
define void @field_before(ptr %p) {
; CHECK-LABEL: define void @field_before(
; CHECK:         call void @__atsan_write_strided(ptr %p, i64 4, i64 4, i64 2)
; CHECK-NEXT:    call void @__atsan_read4(ptr %p)
  store { i32, i32 } { i32 1, i32 2 }, ptr %p
  %v = load i32, ptr %p
  ret void
}

; Lanes may be off, and are more than one.
define void @lanes_before(ptr %p, <2 x i1> %on) {
; CHECK-LABEL: define void @lanes_before(
; CHECK:         call void @__atsan_write_range(
; CHECK:         call void @__atsan_write_range(
; CHECK-NEXT:    call void @__atsan_read4(ptr %p)
  call void @llvm.masked.store.v2i32.p0(<2 x i32> zeroinitializer, ptr %p, i32 4, <2 x i1> %on)
  %v = load i32, ptr %p
  ret void
}

define void @lanes_behind(ptr %p, <2 x i1> %on) {
; CHECK-LABEL: define void @lanes_behind(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         call void @__atsan_write_range(
; CHECK:         call void @__atsan_write_range(
  store i32 1, ptr %p
  call void @llvm.masked.store.v2i32.p0(<2 x i32> zeroinitializer, ptr %p, i32 4, <2 x i1> %on)
  ret void
}

; A number of bytes that is not known: none, or more than the others.
define void @unknown_size_before(ptr %p, i64 %n) {
; CHECK-LABEL: define void @unknown_size_before(
; CHECK:         call void @__atsan_write_range(ptr %p, i64 {{.*}})
; CHECK-NEXT:    call void @__atsan_read1(ptr %p)
  call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 1 %p, i8 0, i64 %n, i32 1)
  %v = load i8, ptr %p
  ret void
}

define void @unknown_size_behind(ptr %p, i64 %n) {
; CHECK-LABEL: define void @unknown_size_behind(
; CHECK:         call void @__atsan_write1(ptr %p)
; CHECK:         call void @__atsan_write_range(ptr %p, i64 {{.*}})
  store i8 1, ptr %p
  call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 1 %p, i8 0, i64 %n, i32 1)
  ret void
}

; Two more repeats: sub-ranges of a copy.
define void @copied(ptr %p, ptr %q) {
; CHECK-LABEL: define void @copied(
; CHECK:         call void @__atsan_read_range(ptr %q, i64 16)
; CHECK-NEXT:    call void @__atsan_write_range(ptr %p, i64 16)
; CHECK-NEXT:    br
; CHECK-NOT:     @__atsan
; CHECK:         ret
  call void @llvm.memcpy.inline.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 16, i1 false)
  store i64 1, ptr %p
  ret void
}

declare void @use(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64 immarg, i1 immarg)
