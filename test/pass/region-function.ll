; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s 2>%t.err | FileCheck %s
; RUN: FileCheck --check-prefix=WARN %s <%t.err
; Intent: an annotated function begins a region with its name at its entry and
; ends it at every exit: returns, exceptions that pass through, exceptions out of
; plain calls, and tail calls that must stay so.

; CHECK: [[NAME:@.*]] = private unnamed_addr constant [8 x i8] c"returns\00"

declare void @may_throw()
declare void @use(ptr)
declare i32 @__gxx_personality_v0(...)

define i32 @returns(i1 %c, ptr %p) nounwind {
; CHECK-LABEL: define i32 @returns(
; CHECK-NEXT:    call void @__atsan_region_begin(ptr [[NAME]])
; CHECK-NEXT:    store i8 1, ptr %p
; CHECK:         call void @__atsan_write1(ptr %p)
; CHECK:       left:
; CHECK-NEXT:    call void @__atsan_region_end()
; CHECK-NEXT:    ret i32 1
; CHECK:       right:
; CHECK-NEXT:    call void @__atsan_region_end()
; CHECK-NEXT:    ret i32 2
  store i8 1, ptr %p
  br i1 %c, label %left, label %right
left:
  ret i32 1
right:
  ret i32 2
}

define void @throws() {
; CHECK-LABEL: define void @throws() {{.*}}personality
; CHECK-NEXT:    call void @__atsan_region_begin(
; CHECK-NEXT:    invoke void @may_throw()
; CHECK-NEXT:            to label %[[OK:.*]] unwind label %[[CLEANUP:.*]]
; CHECK:       [[OK]]:
; CHECK-NEXT:    call void @__atsan_region_end()
; CHECK-NEXT:    ret void
; CHECK:       [[CLEANUP]]:
; CHECK-NEXT:    landingpad
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    call void @__atsan_region_end()
; CHECK-NEXT:    resume
  call void @may_throw()
  ret void
}

define void @passes_on() personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: define void @passes_on(
; CHECK-NEXT:    call void @__atsan_region_begin(
; CHECK:       bad:
; CHECK:         call void @__atsan_region_end()
; CHECK-NEXT:    resume { ptr, i32 } %e
  invoke void @may_throw() to label %ok unwind label %bad
ok:
  ret void
bad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

; The frame, and so the region, is gone when the callee runs.
; WARN: warning: {{.*}}in function tail{{.*}}the region ends before this call, which 'musttail' makes a jump: what is called is not in the region
; WARN-NOT: in function thunk
define void @tail(ptr %p) {
; CHECK-LABEL: define void @tail(
; CHECK-NEXT:    call void @__atsan_region_begin(
; CHECK-NEXT:    call void @__atsan_region_end()
; CHECK-NEXT:    musttail call void @use(ptr %p)
; CHECK-NEXT:    ret void
  musttail call void @use(ptr %p)
  ret void
}

define void @thunk(ptr %p) "thunk" {
; CHECK-LABEL: define void @thunk(
; CHECK-NEXT:    call void @__atsan_region_begin(
; CHECK-NEXT:    call void @__atsan_region_end()
; CHECK-NEXT:    musttail call void @use(ptr %p)
  musttail call void @use(ptr %p)
  ret void
}

; Stack objects live longer than the region, as they do for the caller's caller.
define void @with_objects() nounwind {
; CHECK-LABEL: define void @with_objects(
; CHECK:         call void @__atsan_stack_birth(ptr %a, i64 4)
; CHECK:         call void @__atsan_region_begin(
; CHECK:         call void @__atsan_region_end()
; CHECK:         call void @__atsan_stack_death(ptr %a, i64 4)
  %a = alloca i32
  call void @use(ptr %a)
  ret void
}

; WARN: warning: {{.*}}in function coroutine{{.*}}so it is no region as a whole; use regions between its suspension points
define void @coroutine() presplitcoroutine {
; CHECK-LABEL: define void @coroutine(
; CHECK-NOT:     @__atsan
; CHECK:         ret void
  ret void
}

; WARN: warning: {{.*}}in function no_frame{{.*}}so it is no region; use a region in its callers
define void @no_frame() naked {
; CHECK-LABEL: define void @no_frame(
; CHECK-NOT:     @__atsan
; CHECK:         unreachable
  call void asm sideeffect "ret", ""()
  unreachable
}

@text = private unnamed_addr constant [13 x i8] c"atsan_atomic\00", section "llvm.metadata"
@other = private unnamed_addr constant [6 x i8] c"other\00", section "llvm.metadata"
@llvm.global.annotations = appending global [9 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @returns, ptr @text, ptr @text, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @throws, ptr @text, ptr @text, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @passes_on, ptr @text, ptr @text, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @tail, ptr @text, ptr @text, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @thunk, ptr @text, ptr @text, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @with_objects, ptr @text, ptr @text, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @coroutine, ptr @text, ptr @text, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @no_frame, ptr @text, ptr @text, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @use, ptr @other, ptr @text, i32 1, ptr null }
], section "llvm.metadata"
