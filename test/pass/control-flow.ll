; RUN: opt -load-pass-plugin=%plugin -passes=atsan,verify -S %s | FileCheck %s
; Intent: hooks are placed where every operand is known and no rule of the IR is
; broken: around landing pads, invokes, PHIs, computed branches, asm goto.

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i32 @callee()
declare i32 @__gxx_personality_v0(...)

define i32 @around_invoke(ptr %p, ptr %q) personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: define i32 @around_invoke(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         %v = invoke i32 @callee()
; CHECK:       ok:
; CHECK-NEXT:    store i32 %v, ptr %p
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:       bad:
; CHECK-NEXT:    %r = phi i32 [ 5, %{{.*}} ]
; CHECK-NEXT:    %e = landingpad { ptr, i32 }
; CHECK-NEXT:      catch ptr null
; CHECK-NEXT:    store i32 %r, ptr %q
; CHECK-NEXT:    call void @__atsan_write4(ptr %q)
  store i32 1, ptr %p
  %v = invoke i32 @callee() to label %ok unwind label %bad
ok:
  store i32 %v, ptr %p
  ret i32 %v
bad:
  %r = phi i32 [ 5, %0 ]
  %e = landingpad { ptr, i32 } catch ptr null
  store i32 %r, ptr %q
  ret i32 %r
}

define i32 @asm_goto(ptr %p) {
; CHECK-LABEL: define i32 @asm_goto(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         callbr void asm
; CHECK:       jumped:
; CHECK-NEXT:    load i32, ptr %p
; CHECK:         call void @__atsan_read4(ptr %p)
  store i32 1, ptr %p
  callbr void asm sideeffect "jmp ${0:l}", "!i"() to label %fell [label %jumped]
fell:
  ret i32 0
jumped:
  %v = load i32, ptr %p
  ret i32 %v
}

@targets = internal constant [2 x ptr] [ptr blockaddress(@computed, %one), ptr blockaddress(@computed, %two)]
define void @computed(ptr %p, i64 %i) {
; CHECK-LABEL: define void @computed(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:         indirectbr ptr
; CHECK:       one:
; CHECK-NEXT:    store i32 2, ptr %p
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK:       two:
  store i32 1, ptr %p
  %slot = getelementptr [2 x ptr], ptr @targets, i64 0, i64 %i
  %target = load ptr, ptr %slot
  indirectbr ptr %target, [label %one, label %two]
one:
  store i32 2, ptr %p
  br label %two
two:
  ret void
}

define i32 @loop(ptr %p, i32 %n) {
; CHECK-LABEL: define i32 @loop(
; CHECK:       again:
; CHECK-NEXT:    %i = phi i32 [ 0, %entry ], [ %j, %[[LATCH:.*]] ]
; CHECK:         call void @__atsan_read4(ptr %p)
; CHECK-NEXT:    br label %[[LATCH]]
; CHECK:       [[LATCH]]:
; CHECK-NEXT:    %j = add i32 %i, %v
entry:
  br label %again
again:
  %i = phi i32 [ 0, %entry ], [ %j, %again ]
  %v = load i32, ptr %p
  %j = add i32 %i, %v
  %c = icmp slt i32 %j, %n
  br i1 %c, label %again, label %done
done:
  ret i32 %j
}

define i32 @deoptimized(ptr %p) {
; CHECK-LABEL: define i32 @deoptimized(
; CHECK:         call void @__atsan_stack_death8(ptr %a)
; CHECK:         %r = call i32 (...) @llvm.experimental.deoptimize.i32() [ "deopt"() ]
; CHECK-NEXT:    ret i32 %r
  %a = alloca ptr
  store ptr %a, ptr %p
  %r = call i32 (...) @llvm.experimental.deoptimize.i32() [ "deopt"() ]
  ret i32 %r
}

define void @unreachable_block(ptr %p) {
; CHECK-LABEL: define void @unreachable_block(
  ret void
dead:
  %q = getelementptr i32, ptr %q, i64 1
  store i32 1, ptr %q
  br label %dead
}

declare i32 @llvm.experimental.deoptimize.i32(...)
