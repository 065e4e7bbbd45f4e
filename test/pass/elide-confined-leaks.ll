; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: every way by which the address of a stack object may get to another
; thread: then the function reports its accesses. Where it gets to a callee and
; no further, it does not.

target datalayout = "e-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@published = external global ptr

declare void @unknown(ptr nocapture)
declare void @unknown_aggregate({ ptr, i32 })
declare void @unknown_vector(<2 x ptr>)
declare void @unknown_copy(ptr byval(i32))
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare ptr @strchr(ptr, i32)
declare i64 @strtoull(ptr, ptr nocapture, i32)
declare i64 @fwrite(ptr nocapture, i64, i64, ptr nocapture)
declare void @__sanitizer_function_of_the_user(ptr)
declare i32 @__gxx_personality_v0(...)

define internal i32 @looks(ptr %p) noinline {
  %v = load i32, ptr %p
  ret i32 %v
}

define internal i32 @looks_deep(ptr %p) noinline {
  %v = call i32 @looks(ptr %p)
  ret i32 %v
}

define internal void @publishes(ptr %p) noinline {
  store ptr %p, ptr @published
  ret void
}

define internal void @publishes_deep(ptr %p) noinline {
  call void @publishes(ptr %p)
  ret void
}

define internal ptr @next(ptr %p) noinline {
  %n = getelementptr i8, ptr %p, i64 4
  ret ptr %n
}

define internal void @again(ptr %p, i32 %n) noinline {
  %m = sub i32 %n, 1
  call void @again(ptr %p, i32 %m)
  store ptr %p, ptr @published
  ret void
}

define internal ptr @again_and_returns(ptr %p, i32 %n) noinline {
  %m = sub i32 %n, 1
  %c = icmp eq i32 %n, 0
  br i1 %c, label %done, label %more
done:
  ret ptr %p
more:
  %q = call ptr @again_and_returns(ptr %p, i32 %m)
  store ptr %q, ptr @published
  ret ptr null
}

define internal void @variadic(i32 %n, ...) noinline {
  ret void
}

define internal void @copies(ptr byval(i32) %p) noinline {
  store ptr %p, ptr @published
  ret void
}

; C: the definition elsewhere may be another one.
define available_externally void @inline_of_c(ptr %p) noinline {
  ret void
}

define internal void @unsplit_coroutine(ptr %p) presplitcoroutine noinline {
  ret void
}

define internal void @bare(ptr %p) naked noinline {
  call void asm sideeffect "ret", ""()
  unreachable
}

; A function of libc by its name. It waits for the threads that it gives the
; address to.
define internal i64 @strlen(ptr nocapture %p) noinline {
  call void @unknown(ptr nocapture %p)
  ret i64 0
}

define void @__sanitizer_definition_of_the_user(ptr %p) noinline {
  store ptr %p, ptr @published
  ret void
}

define i32 @to_callees() personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: define i32 @to_callees(
; CHECK-NOT:     @__atsan_{{read|write}}
; CHECK:         ret i32
; CHECK-NOT:     @__atsan_{{read|write}}
; CHECK:       }
  %a = alloca [2 x i32]
  store i32 1, ptr %a
  %v = call i32 @looks_deep(ptr %a)
  %w = invoke i32 @looks(ptr %a) to label %ok unwind label %bad
ok:
  %b = getelementptr i32, ptr %a, i64 1
  store i32 1, ptr %b
  call void @unknown_copy(ptr byval(i32) %b)
  call void @copies(ptr byval(i32) %b)
  %x = load i32, ptr %a
  ret i32 %x
bad:
  %e = landingpad { ptr, i32 } cleanup
  store i32 1, ptr %a
  resume { ptr, i32 } %e
}

define void @to_callee_of_callee() {
; CHECK-LABEL: define void @to_callee_of_callee(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void @publishes_deep(ptr %a)
  ret void
}

define void @only_behind_the_call() {
; CHECK-LABEL: define void @only_behind_the_call(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  %v = call i32 @looks(ptr %a)
  call void @publishes(ptr %a)
  ret void
}

define void @by_invoke() personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: define void @by_invoke(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  invoke void @publishes(ptr %a) to label %ok unwind label %bad
ok:
  ret void
bad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

define void @moved_and_returned() {
; CHECK-LABEL: define void @moved_and_returned(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca [2 x i32]
  store i32 1, ptr %a
  %n = call ptr @next(ptr %a)
  call void @publishes(ptr %n)
  ret void
}

define void @to_recursion(i32 %n) {
; CHECK-LABEL: define void @to_recursion(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void @again(ptr %a, i32 %n)
  ret void
}

define void @to_recursion_that_returns(i32 %n) {
; CHECK-LABEL: define void @to_recursion_that_returns(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  %p = call ptr @again_and_returns(ptr %a, i32 %n)
  ret void
}

define void @to_other_memory(ptr %other) {
; CHECK-LABEL: define void @to_other_memory(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  store ptr %a, ptr %other
  ret void
}

define void @to_other_object() {
; CHECK-LABEL: define void @to_other_object(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  %b = alloca ptr
  store i32 1, ptr %a
  store ptr %a, ptr %b
  %p = load ptr, ptr %b
  call void @publishes(ptr %p)
  ret void
}

define void @part_of_it() {
; CHECK-LABEL: define void @part_of_it(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca [4 x i32]
  store i32 1, ptr %a
  %b = getelementptr i32, ptr %a, i64 3
  store ptr %b, ptr @published
  ret void
}

define void @exchanged() {
; CHECK-LABEL: define void @exchanged(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  %i = call i32 @looks(ptr %a)
  %old = atomicrmw xchg ptr @published, ptr %a seq_cst
  ret void
}

define void @compare_exchanged() {
; CHECK-LABEL: define void @compare_exchanged(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  %i = call i32 @looks(ptr %a)
  %old = cmpxchg ptr @published, ptr null, ptr %a seq_cst seq_cst
  ret void
}

define i64 @to_integer() {
; CHECK-LABEL: define i64 @to_integer(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  %i = ptrtoint ptr %a to i64
  ret i64 %i
}

define void @to_assembly() {
; CHECK-LABEL: define void @to_assembly(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void asm sideeffect "", "r,~{memory}"(ptr %a)
  ret void
}

define void @to_aggregate() {
; CHECK-LABEL: define void @to_aggregate(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  %s = insertvalue { ptr, i32 } undef, ptr %a, 0
  call void @unknown_aggregate({ ptr, i32 } %s)
  ret void
}

define void @to_vector() {
; CHECK-LABEL: define void @to_vector(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  %s = insertelement <2 x ptr> undef, ptr %a, i64 0
  call void @unknown_vector(<2 x ptr> %s)
  ret void
}

define void @to_pointers() {
; CHECK-LABEL: define void @to_pointers(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca [4 x i32]
  store i32 1, ptr %a
  %s = getelementptr i32, ptr %a, <2 x i64> <i64 0, i64 1>
  call void @unknown_vector(<2 x ptr> %s)
  ret void
}

define void @to_thread(ptr %start) {
; CHECK-LABEL: define void @to_thread(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  %t = alloca ptr
  store i32 1, ptr %a
  %e = call i32 @pthread_create(ptr %t, ptr null, ptr %start, ptr %a)
  ret void
}

define void @to_variable_argument() {
; CHECK-LABEL: define void @to_variable_argument(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void (i32, ...) @variadic(i32 1, ptr %a)
  ret void
}

define void @to_bundle() {
; CHECK-LABEL: define void @to_bundle(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void @llvm.donothing() [ "deopt"(ptr %a) ]
  %i = call i32 @looks(ptr @published) [ "deopt"(ptr %a) ]
  ret void
}

define void @to_inline_of_c() {
; CHECK-LABEL: define void @to_inline_of_c(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void @inline_of_c(ptr %a)
  ret void
}

define void @to_unsplit_coroutine() {
; CHECK-LABEL: define void @to_unsplit_coroutine(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void @unsplit_coroutine(ptr %a)
  ret void
}

define void @to_naked() {
; CHECK-LABEL: define void @to_naked(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void @bare(ptr %a)
  ret void
}

define void @to_own_strlen() {
; CHECK-LABEL: define void @to_own_strlen(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  %n = call i64 @strlen(ptr %a)
  ret void
}

define void @to_libc_that_returns_it() {
; CHECK-LABEL: define void @to_libc_that_returns_it(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  %p = call ptr @strchr(ptr %a, i32 1)
  store ptr %p, ptr @published
  ret void
}

; With -fno-builtin, the name says nothing.
define void @to_no_libc(ptr %text) "no-builtins" {
; CHECK-LABEL: define void @to_no_libc(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca [2 x i32]
  store i32 1, ptr %a
  %n = call i64 @strtoull(ptr %text, ptr %a, i32 10)
  ret void
}

; Its functions may be the program's (fopencookie).
define void @to_stream(ptr %stream) {
; CHECK-LABEL: define void @to_stream(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  %n = call i64 @fwrite(ptr %a, i64 4, i64 1, ptr %stream)
  ret void
}

; The sanitizers' names, but none of our hooks.
define void @to_reserved_declaration() {
; CHECK-LABEL: define void @to_reserved_declaration(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void @__sanitizer_function_of_the_user(ptr %a)
  ret void
}

define void @to_reserved_definition() {
; CHECK-LABEL: define void @to_reserved_definition(
; CHECK:         call void @__atsan_write4(ptr %a)
  %a = alloca i32
  store i32 1, ptr %a
  call void @__sanitizer_definition_of_the_user(ptr %a)
  ret void
}
