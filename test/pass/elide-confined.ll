; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; RUN: opt -load-pass-plugin=%plugin -load=%plugin -passes=atsan -atsan-private-memory=false -atsan-print-stats -S %s 2>&1 | FileCheck --check-prefix=OFF --implicit-check-not='memory of one thread' %s
; OFF: call void @__atsan_write
; Intent: a function does not report its accesses to a stack object whose address
; goes to its callees but to no other thread. The object is born all the same,
; since callees' accesses to it are observed. If the address may get anywhere
; else, all accesses are reported.

target datalayout = "e-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; STATS: {{^ *}}16 atsan - accesses skipped: memory of one thread only

%"class.std::__cxx11::basic_string" = type { ptr, i64, [16 x i8] }

declare void @use(ptr)
declare i64 @strtoull(ptr, ptr nocapture, i32)
declare void @wait_for_threads(ptr nocapture)
declare ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr, ptr, i64)
declare void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4swapERS4_(ptr, ptr)
@published = external global ptr

define internal i32 @looks(ptr %p) noinline {
; CHECK-LABEL: define internal i32 @looks(
; CHECK:         call void @__atsan_read4(ptr %p)
  %v = load i32, ptr %p
  ret i32 %v
}

define internal i64 @size(ptr %string) noinline {
  %p = getelementptr i8, ptr %string, i64 8
  %n = load i64, ptr %p
  ret i64 %n
}

define internal ptr @same(ptr %p) noinline {
  ret ptr %p
}

define internal void @publishes(ptr %p) noinline {
  store ptr %p, ptr @published
  ret void
}

define weak void @replaceable(ptr %p) noinline {
  ret void
}

define i32 @to_callee() {
; CHECK-LABEL: define i32 @to_callee(
; CHECK:         call void @__atsan_frame_birth()
; CHECK-NOT:     @__atsan_write
; CHECK:         ret
  %a = alloca i32
  store i32 1, ptr %a
  %v = call i32 @looks(ptr %a)
  ret i32 %v
}

define i64 @to_libc(ptr %text) {
; CHECK-LABEL: define i64 @to_libc(
; CHECK:         call void @__atsan_frame_birth()
; CHECK-NOT:     @__atsan_{{(read|write)}}8
; CHECK:         ret
  %end = alloca ptr
  store ptr null, ptr %end
  %v = call i64 @strtoull(ptr %text, ptr %end, i32 10)
  %e = load ptr, ptr %end
  ret i64 %v
}

; The result may point elsewhere, as far as is known here; so it is observed.
define i32 @returned() {
; CHECK-LABEL: define i32 @returned(
; CHECK-NOT:     @__atsan_write4(ptr %a)
; CHECK:         call void @__atsan_read4(ptr %r)
  %a = alloca i32
  store i32 1, ptr %a
  %r = call ptr @same(ptr %a)
  %v = load i32, ptr %r
  ret i32 %v
}

; A string points to its own buffer, or to memory that only it knows.
define i64 @string(ptr %text) {
; CHECK-LABEL: define i64 @string(
; CHECK:         call void @__atsan_frame_birth()
; CHECK-NOT:     @__atsan_{{(read|write)}}
; CHECK:         ret
  %s = alloca %"class.std::__cxx11::basic_string"
  %size = getelementptr i8, ptr %s, i64 8
  %buffer = getelementptr inbounds i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  store i64 0, ptr %size
  %r = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr %s, ptr %text, i64 3)
  %chars = load ptr, ptr %s
  %c = load i8, ptr %chars
  %n = load i64, ptr %size
  ret i64 %n
}

define i64 @moved() {
; CHECK-LABEL: define i64 @moved(
; CHECK-NOT:     @__atsan_{{(read|write)}}8
; CHECK:         ret
  %s = alloca %"class.std::__cxx11::basic_string"
  %t = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %r = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr %s, ptr null, i64 0)
  %chars = load ptr, ptr %s
  store ptr %chars, ptr %t
  %r2 = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr %t, ptr null, i64 0)
  ret i64 0
}

; The twins: each of these must be instrumented.

define void @to_publisher() {
; CHECK-LABEL: define void @to_publisher(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void @publishes(ptr %a)
  ret void
}

define void @returned_and_published() {
; CHECK-LABEL: define void @returned_and_published(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  %r = call ptr @same(ptr %a)
  store ptr %r, ptr @published
  ret void
}

; No copy outlives the call; during the call, other threads may have one.
define void @to_nocapture() {
; CHECK-LABEL: define void @to_nocapture(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void @wait_for_threads(ptr %a)
  ret void
}

define void @to_replaceable() {
; CHECK-LABEL: define void @to_replaceable(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void @replaceable(ptr %a)
  ret void
}

define void @to_pointer(ptr %f) {
; CHECK-LABEL: define void @to_pointer(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void %f(ptr %a)
  ret void
}

; What it reads may be its own address.
define void @points_to_itself() {
; CHECK-LABEL: define void @points_to_itself(
; CHECK:         call void @__atsan_write8(ptr %a)
  %a = alloca ptr
  store ptr %a, ptr %a
  %i = call i32 @looks(ptr %a)
  %p = load ptr, ptr %a
  store ptr %p, ptr @published
  ret void
}

define void @mixed(i1 %c, ptr %other) {
; CHECK-LABEL: define void @mixed(
; CHECK:         call void @__atsan_write4(ptr %p)
  %a = alloca i32
  %i = call i32 @looks(ptr %a)
  %p = select i1 %c, ptr %a, ptr %other
  store i32 1, ptr %p
  ret void
}

define void @string_to_unknown() {
; CHECK-LABEL: define void @string_to_unknown(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  call void @use(ptr %s)
  ret void
}

define void @string_buffer_published() {
; CHECK-LABEL: define void @string_buffer_published(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %i = call i64 @size(ptr %s)
  %chars = load ptr, ptr %s
  store ptr %chars, ptr @published
  ret void
}

define void @moved_and_published(ptr %to) {
; CHECK-LABEL: define void @moved_and_published(
; CHECK:         call void @__atsan_write8(ptr %s)
; CHECK:         call void @__atsan_write8(ptr %t)
  %s = alloca %"class.std::__cxx11::basic_string"
  %t = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %i = call i64 @size(ptr %s)
  %chars = load ptr, ptr %s
  store ptr %chars, ptr %t
  %other = load ptr, ptr %t
  store ptr %other, ptr %to
  %j = call i64 @size(ptr %t)
  ret void
}

; Others may know the memory that a string was given, or gives away.
define i8 @string_of_other_memory(ptr %other) {
; CHECK-LABEL: define i8 @string_of_other_memory(
; CHECK:         call void @__atsan_read1(ptr %chars)
  %s = alloca %"class.std::__cxx11::basic_string"
  store ptr %other, ptr %s
  %r = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr %s, ptr null, i64 0)
  %chars = load ptr, ptr %s
  %c = load i8, ptr %chars
  ret i8 %c
}

define i8 @string_swapped(ptr %other) {
; CHECK-LABEL: define i8 @string_swapped(
; CHECK:         call void @__atsan_read1(ptr %chars)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr inbounds i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4swapERS4_(ptr %other, ptr %s)
  %chars = load ptr, ptr %s
  %c = load i8, ptr %chars
  ret i8 %c
}

; As bytes, with the pointer to its buffer.
define void @string_copied(ptr %to) {
; CHECK-LABEL: define void @string_copied(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %i = call i64 @size(ptr %s)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %s, i64 32, i1 false)
  ret void
}
