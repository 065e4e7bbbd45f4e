; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; Intent: one hook tells that all objects of a frame are born, where the first
; may be, and one at each exit behind it that they are dead. An object that may
; be born twice is told by itself, too. Functions whose frame cannot be told have
; hooks for each object.

; STATS-DAG: {{^ *}}7 atsan - births of all objects of a frame emitted
; STATS-DAG: {{^ *}}9 atsan - deaths of all objects of a frame emitted

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare void @use(ptr)
declare void @calm(ptr) nounwind
declare i32 @setjmp(ptr) returns_twice
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare i32 @__gxx_personality_v0(...)

; Frame pointers show where the frame is. Inlining would make it another's, as
; would a tail call.
define void @entry_and_exits(i1 %c) {
; CHECK-LABEL: define void @entry_and_exits(
; CHECK-SAME:    #[[FRAME:[0-9]+]] {
; CHECK:         load volatile i32, ptr @__atsan_gate
; CHECK:         notail call void @__atsan_frame_birth()
; CHECK-NEXT:    br
; CHECK-NOT:     birth
; CHECK:         call void @use(ptr %a)
; CHECK:       left:
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         notail call void @__atsan_frame_death()
; CHECK-NEXT:    br
; CHECK:         ret void
; CHECK:       right:
; CHECK:         call void @__atsan_frame_death()
; CHECK-NEXT:    br
; CHECK-NOT:     death
; CHECK:         ret void
  %a = alloca i32
  %b = alloca [10 x i64]
  call void @use(ptr %a)
  call void @use(ptr %b)
  br i1 %c, label %left, label %right
left:
  ret void
right:
  ret void
}

; Told where the first is born: not on the way where none is. Without markers,
; code generation does not put both at the same place.
define void @scopes(i1 %c) nounwind {
; CHECK-LABEL: define void @scopes(
; CHECK-NOT:     birth
; CHECK:       none:
; CHECK-NEXT:    ret void
; CHECK:       some:
; CHECK-NOT:     lifetime
; CHECK:         call void @__atsan_frame_birth()
; CHECK-NEXT:    br
; CHECK-NOT:     birth
; CHECK-NOT:     lifetime
; CHECK:         call void @calm(ptr %a)
; CHECK-NOT:     death
; CHECK:         call void @calm(ptr %b)
; CHECK-NOT:     lifetime
; CHECK:         call void @__atsan_frame_death()
; CHECK:         ret void
  %a = alloca i32
  %b = alloca i64
  br i1 %c, label %none, label %some
none:
  ret void
some:
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  call void @calm(ptr %a)
  call void @llvm.lifetime.end.p0(i64 4, ptr %a)
  call void @llvm.lifetime.start.p0(i64 8, ptr %b)
  call void @calm(ptr %b)
  call void @llvm.lifetime.end.p0(i64 8, ptr %b)
  ret void
}

; Before the loop, never in it: %b lives on from one iteration to the next. Each
; iteration has an %a of its own.
define void @loop(i1 %c) nounwind {
; CHECK-LABEL: define void @loop(
; CHECK:         call void @use(ptr null)
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_frame_birth()
; CHECK:       loop:
; CHECK-NEXT:    call void @llvm.lifetime.start.p0({{(i64 4, )?}}ptr %a)
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_stack_birth(ptr %a, i64 4)
; CHECK-NEXT:    br
; CHECK-NOT:     birth
; CHECK-NOT:     death
; CHECK:         call void @llvm.lifetime.end.p0({{(i64 4, )?}}ptr %a)
; CHECK-NOT:     death
; CHECK:       done:
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_frame_death()
  %a = alloca i32
  %b = alloca i64
  call void @use(ptr null)
  call void @llvm.lifetime.start.p0(i64 8, ptr %b)
  br label %loop
loop:
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  call void @calm(ptr %a)
  call void @calm(ptr %b)
  call void @llvm.lifetime.end.p0(i64 4, ptr %a)
  br i1 %c, label %loop, label %done
done:
  ret void
}

; At the end of the block before the loop: %a lives from one iteration into the
; next.
define void @across_iterations(i1 %c) nounwind {
; CHECK-LABEL: define void @across_iterations(
; CHECK:         call void @use(ptr null)
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_frame_birth()
; CHECK:       loop:
; CHECK-NOT:     frame
; CHECK:         call void @__atsan_stack_birth(ptr %a, i64 4)
; CHECK-NOT:     frame
; CHECK:         call void @__atsan_stack_birth8(ptr %b)
; CHECK-NOT:     frame
; CHECK:       done:
; CHECK:         call void @__atsan_frame_death()
  %a = alloca i32
  %b = alloca i64
  call void @use(ptr null)
  br label %loop
loop:
  call void @llvm.lifetime.end.p0(i64 4, ptr %a)
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  call void @calm(ptr %a)
  call void @llvm.lifetime.start.p0(i64 8, ptr %b)
  call void @calm(ptr %b)
  br i1 %c, label %loop, label %done
done:
  ret void
}

; The inliner may have put two objects into one.
define void @again() nounwind {
; CHECK-LABEL: define void @again(
; CHECK:         lifetime.start
; CHECK:         call void @__atsan_frame_birth()
; CHECK-NEXT:    call void @__atsan_stack_birth(ptr %a, i64 4)
; CHECK:         lifetime.end
; CHECK-NOT:     death
; CHECK:         lifetime.start
; CHECK:         call void @__atsan_stack_birth(ptr %a, i64 4)
; CHECK:         call void @__atsan_frame_death()
  %a = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  call void @calm(ptr %a)
  call void @llvm.lifetime.end.p0(i64 4, ptr %a)
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  call void @calm(ptr %a)
  call void @llvm.lifetime.end.p0(i64 4, ptr %a)
  ret void
}

; An exception that leaves the function behind the object's end runs no code of
; the function: the object's own death stays. Behind the last such call it goes.
define void @thrown_behind(i1 %c) {
; CHECK-LABEL: define void @thrown_behind(
; CHECK:         call void @__atsan_frame_birth()
; CHECK-NEXT:    br
; CHECK:         call void @calm(ptr %a)
; CHECK-NOT:     lifetime
; CHECK:         call void @__atsan_stack_death(ptr %a, i64 4)
; CHECK:         call void @use(ptr %b)
; CHECK-NOT:     @__atsan_stack_death
; CHECK:         call void @__atsan_frame_death()
; CHECK-NEXT:    br
; CHECK:         ret void
  %a = alloca i32
  %b = alloca i64
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  call void @calm(ptr %a)
  call void @llvm.lifetime.end.p0(i64 4, ptr %a)
  br i1 %c, label %more, label %done
more:
  call void @llvm.lifetime.start.p0(i64 8, ptr %b)
  call void @use(ptr %b)
  call void @llvm.lifetime.end.p0(i64 8, ptr %b)
  br label %done
done:
  ret void
}

; Where the function handles it, it has an exit there.
define void @thrown_within() personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: define void @thrown_within(
; CHECK-NOT:     @__atsan_stack_death
; CHECK:         call void @__atsan_frame_death()
; CHECK:         ret void
; CHECK:         landingpad
; CHECK:         call void @__atsan_frame_death()
; CHECK-NEXT:    resume
  %a = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  call void @calm(ptr %a)
  call void @llvm.lifetime.end.p0(i64 4, ptr %a)
  invoke void @use(ptr null) to label %ok unwind label %bad
ok:
  ret void
bad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

define void @jumps_back(ptr %buffer) {
; CHECK-LABEL: define void @jumps_back(
; CHECK-NOT:     frame
; CHECK:         call void @__atsan_stack_birth(ptr %a, i64 4)
; CHECK-NOT:     frame
; CHECK:         ret void
  %a = alloca i32
  call i32 @setjmp(ptr %buffer)
  call void @use(ptr %a)
  ret void
}

define void @variable_size(i64 %n) {
; CHECK-LABEL: define void @variable_size(
; CHECK-NOT:     frame
; CHECK:         ret void
  %a = alloca i32
  %b = alloca i32, i64 %n
  call void @use(ptr %a)
  call void @use(ptr %b)
  ret void
}

define void @large() {
; CHECK-LABEL: define void @large(
; CHECK-NOT:     frame
; CHECK:         ret void
  %a = alloca i32
  %private = alloca [1024 x i8]
  call void @use(ptr %a)
  store i32 1, ptr %private
  ret void
}

define void @to_be_inlined() alwaysinline {
; CHECK-LABEL: define void @to_be_inlined(
; CHECK-NOT:     frame
; CHECK:         ret void
  %a = alloca i32
  call void @use(ptr %a)
  ret void
}

; The copy of an argument is in the caller's frame.
define void @copy(ptr byval(i64) %p) {
; CHECK-LABEL: define void @copy(
; CHECK-NOT:     frame
; CHECK:         call void @__atsan_stack_birth8(ptr %p)
; CHECK-NOT:     frame
; CHECK:         ret void
  call void @use(ptr %p)
  ret void
}

; CHECK: attributes #[[FRAME]] = { noinline {{.*}}"frame-pointer"="all"
