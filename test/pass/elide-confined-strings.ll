; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: a std::string's first word points to its own buffer, so what is read
; from there is followed as the string's address is; and to memory that only it
; knows, unless it was given other memory or gave its own away.

target datalayout = "e-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%"class.std::__cxx11::basic_string" = type { ptr, i64, [16 x i8] }

@published = external global ptr
@number = external global i64

declare ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr, ptr, i64)
declare ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr, ptr, i64)
declare void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1EOS4_(ptr, ptr)
declare ptr @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4dataEv(ptr)
declare void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7_M_dataEPc(ptr, ptr)
declare void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE12_Alloc_hiderC1EPcRKS3_(ptr, ptr, ptr)
declare { i64, ptr } @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEcvSt17basic_string_viewIcS2_EEv(ptr)
declare void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6rbeginEv(ptr sret(ptr), ptr)
declare void @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6substrEmm(ptr sret(%"class.std::__cxx11::basic_string"), ptr, i64, i64)
declare void @unknown_copy(ptr byval(%"class.std::__cxx11::basic_string"))

define internal ptr @characters(ptr %s) noinline {
  %chars = load ptr, ptr %s
  ret ptr %chars
}

define internal void @counts(ptr %p) noinline {
  %n = load i64, ptr %p
  store i64 %n, ptr @number
  ret void
}

define internal void @gives(ptr %s, ptr %other) noinline {
  store ptr %other, ptr %s
  ret void
}

define internal void @creates(ptr %s) noinline {
  %size = alloca i64
  store i64 20, ptr %size
  %m = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %size, i64 0)
  store ptr %m, ptr %s
  ret void
}

define void @part() {
; CHECK-LABEL: define void @part(
; CHECK-NOT:     @__atsan_{{read|write}}
; CHECK:         ret
  %s = alloca %"class.std::__cxx11::basic_string"
  %t = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr inbounds i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  call void @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6substrEmm(ptr sret(%"class.std::__cxx11::basic_string") %t, ptr %s, i64 0, i64 1)
  ret void
}

; The callee's own memory, fresh from the heap.
define i8 @created() {
; CHECK-LABEL: define i8 @created(
; CHECK-NOT:     @__atsan_{{read|write}}
; CHECK:         ret
  %s = alloca %"class.std::__cxx11::basic_string"
  call void @creates(ptr %s)
  %chars = load ptr, ptr %s
  %c = load i8, ptr %chars
  ret i8 %c
}

; The twins: each of these must be instrumented.

define void @data_published() {
; CHECK-LABEL: define void @data_published(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %d = call ptr @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4dataEv(ptr %s)
  store ptr %d, ptr @published
  ret void
}

define void @this_published() {
; CHECK-LABEL: define void @this_published(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %r = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr %s, ptr null, i64 0)
  store ptr %r, ptr @published
  ret void
}

define void @buffer_of_another_string() {
; CHECK-LABEL: define void @buffer_of_another_string(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7_M_dataEPc(ptr @published, ptr %buffer)
  ret void
}

define void @buffer_of_new_string() {
; CHECK-LABEL: define void @buffer_of_new_string(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE12_Alloc_hiderC1EPcRKS3_(ptr @published, ptr %buffer, ptr null)
  ret void
}

define void @view_published() {
; CHECK-LABEL: define void @view_published(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %v = call { i64, ptr } @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEcvSt17basic_string_viewIcS2_EEv(ptr %s)
  %d = extractvalue { i64, ptr } %v, 1
  store ptr %d, ptr @published
  ret void
}

define void @iterator_published() {
; CHECK-LABEL: define void @iterator_published(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %i = alloca ptr
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6rbeginEv(ptr sret(ptr) %i, ptr %s)
  %d = load ptr, ptr %i
  store ptr %d, ptr @published
  ret void
}

define void @characters_published() {
; CHECK-LABEL: define void @characters_published(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %d = call ptr @characters(ptr %s)
  store ptr %d, ptr @published
  ret void
}

define void @buffer_published() {
; CHECK-LABEL: define void @buffer_published(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %j = call ptr @characters(ptr %s)
  store ptr %buffer, ptr @published
  ret void
}

define void @word_as_number() {
; CHECK-LABEL: define void @word_as_number(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %j = call ptr @characters(ptr %s)
  %n = load i64, ptr %s
  store i64 %n, ptr @number
  ret void
}

define void @word_in_vector() {
; CHECK-LABEL: define void @word_in_vector(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %j = call ptr @characters(ptr %s)
  %n = load <2 x i64>, ptr %s
  %w = extractelement <2 x i64> %n, i64 0
  store i64 %w, ptr @number
  ret void
}

define void @word_by_masked_load() {
; CHECK-LABEL: define void @word_by_masked_load(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %j = call ptr @characters(ptr %s)
  %n = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr %s, i32 8, <2 x i1> <i1 1, i1 1>, <2 x i64> zeroinitializer)
  %w = extractelement <2 x i64> %n, i64 0
  store i64 %w, ptr @number
  ret void
}

define void @word_at_unknown_place(i64 %i) {
; CHECK-LABEL: define void @word_at_unknown_place(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %j = call ptr @characters(ptr %s)
  %p = getelementptr i8, ptr %s, i64 %i
  %n = load i64, ptr %p
  store i64 %n, ptr @number
  ret void
}

define void @word_read_by_callee(i64 %i) {
; CHECK-LABEL: define void @word_read_by_callee(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %p = getelementptr i8, ptr %s, i64 %i
  call void @counts(ptr %p)
  ret void
}

define void @word_or_buffer(i1 %c) {
; CHECK-LABEL: define void @word_or_buffer(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  %word = getelementptr i8, ptr %s, i64 0
  store ptr %buffer, ptr %s
  %j = call ptr @characters(ptr %s)
  %p = select i1 %c, ptr %word, ptr %buffer
  %n = load i64, ptr %p
  store i64 %n, ptr @number
  ret void
}

; The same, met in the other order.
define void @buffer_or_word(i1 %c) {
; CHECK-LABEL: define void @buffer_or_word(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %word = getelementptr i8, ptr %s, i64 0
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %j = call ptr @characters(ptr %s)
  %p = select i1 %c, ptr %word, ptr %buffer
  %n = load i64, ptr %p
  store i64 %n, ptr @number
  ret void
}

define void @word_before_the_size() {
; CHECK-LABEL: define void @word_before_the_size(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  %j = call ptr @characters(ptr %s)
  %size = getelementptr i8, ptr %s, i64 8
  %p = getelementptr i8, ptr %size, i64 -8
  %n = load i64, ptr %p
  store i64 %n, ptr @number
  ret void
}

define void @copied_to_callee() {
; CHECK-LABEL: define void @copied_to_callee(
; CHECK:         call void @__atsan_write8(ptr %s)
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr i8, ptr %s, i64 16
  store ptr %buffer, ptr %s
  call void @unknown_copy(ptr byval(%"class.std::__cxx11::basic_string") %s)
  ret void
}

; Not a string, but one is at its beginning.
define void @string_in_object() {
; CHECK-LABEL: define void @string_in_object(
; CHECK:         call void @__atsan_write4(ptr %number)
  %o = alloca { %"class.std::__cxx11::basic_string", i32 }
  %number = getelementptr i8, ptr %o, i64 32
  store i32 1, ptr %number
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1EOS4_(ptr %o, ptr null)
  %chars = load ptr, ptr %o
  store ptr %chars, ptr @published
  ret void
}

; These know only the characters, which are reported.

define i8 @given_by_callee(ptr %other) {
; CHECK-LABEL: define i8 @given_by_callee(
; CHECK-NOT:     @__atsan_read8
; CHECK:         call void @__atsan_read1(ptr %chars)
  %s = alloca %"class.std::__cxx11::basic_string"
  call void @gives(ptr %s, ptr %other)
  %chars = load ptr, ptr %s
  %c = load i8, ptr %chars
  ret i8 %c
}

define i8 @given_by_string(ptr %other) {
; CHECK-LABEL: define i8 @given_by_string(
; CHECK-NOT:     @__atsan_read8
; CHECK:         call void @__atsan_read1(ptr %chars)
  %s = alloca %"class.std::__cxx11::basic_string"
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1EOS4_(ptr %s, ptr %other)
  %chars = load ptr, ptr %s
  %c = load i8, ptr %chars
  ret i8 %c
}

define i8 @given_by_copy(ptr %other) {
; CHECK-LABEL: define i8 @given_by_copy(
; CHECK-NOT:     @__atsan_read1
; CHECK:         call void @__atsan_read1(ptr %chars)
  %s = alloca %"class.std::__cxx11::basic_string"
  %size = call ptr @characters(ptr %s)
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %other, i64 32, i1 false)
  %chars = load ptr, ptr %s
  %c = load i8, ptr %chars
  ret i8 %c
}

define i8 @given_by_big_copy(ptr %other, i64 %n) {
; CHECK-LABEL: define i8 @given_by_big_copy(
; CHECK-NOT:     @__atsan_read1
; CHECK:         call void @__atsan_read1(ptr %chars)
  %s = alloca %"class.std::__cxx11::basic_string"
  %size = call ptr @characters(ptr %s)
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %other, i64 %n, i1 false)
  %chars = load ptr, ptr %s
  %c = load i8, ptr %chars
  ret i8 %c
}

define i8 @given_by_member(ptr %other) {
; CHECK-LABEL: define i8 @given_by_member(
; CHECK:         call void @__atsan_read1(ptr %chars)
  %s = alloca %"class.std::__cxx11::basic_string"
  %j = call ptr @characters(ptr %s)
  %d = call ptr @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4dataEv(ptr %other)
  store ptr %d, ptr %s
  %chars = load ptr, ptr %s
  %c = load i8, ptr %chars
  ret i8 %c
}

define i8 @given_as_number(i64 %other) {
; CHECK-LABEL: define i8 @given_as_number(
; CHECK:         call void @__atsan_read1(ptr %chars)
  %s = alloca %"class.std::__cxx11::basic_string"
  %j = call ptr @characters(ptr %s)
  store i64 %other, ptr %s
  %chars = load ptr, ptr %s
  %c = load i8, ptr %chars
  ret i8 %c
}

define i8 @one_of_two(i1 %c, ptr %other) {
; CHECK-LABEL: define i8 @one_of_two(
; CHECK:         call void @__atsan_read1(ptr %chars)
entry:
  %s = alloca %"class.std::__cxx11::basic_string"
  %buffer = getelementptr inbounds i8, ptr %s, i64 16
  %j = call ptr @characters(ptr %s)
  br i1 %c, label %then, label %join
then:
  br label %join
join:
  %p = phi ptr [ %buffer, %entry ], [ %other, %then ]
  store ptr %p, ptr %s
  %chars = load ptr, ptr %s
  %b = load i8, ptr %chars
  ret i8 %b
}

define i8 @of_other_string(ptr %other) {
; CHECK-LABEL: define i8 @of_other_string(
; CHECK:         call void @__atsan_read1(ptr %chars)
  %s = alloca %"class.std::__cxx11::basic_string"
  %t = alloca %"class.std::__cxx11::basic_string"
  %j = call ptr @characters(ptr %s)
  store ptr %other, ptr %t
  %word = load ptr, ptr %t
  store ptr %word, ptr %s
  %chars = load ptr, ptr %s
  %c = load i8, ptr %chars
  ret i8 %c
}
