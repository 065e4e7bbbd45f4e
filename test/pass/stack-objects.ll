; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: stack objects whose address escapes are born before they are used and
; die at every exit that has code, all at one place behind one gate test; others
; are never mentioned.

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @use(ptr)
declare i32 @use2(ptr, ptr)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare i32 @__gxx_personality_v0(...)

define void @entry_and_exit(i1 %c) {
; CHECK-LABEL: define void @entry_and_exit(
; CHECK:         load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_stack_birth(ptr %a, i64 4)
; CHECK-NEXT:    call void @__atsan_stack_birth(ptr %b, i64 80)
; CHECK-NEXT:    br
; CHECK:         call i32 @use2(ptr %a, ptr %b)
; CHECK:       left:
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_stack_death(ptr %a, i64 4)
; CHECK-NEXT:    call void @__atsan_stack_death(ptr %b, i64 80)
; CHECK-NEXT:    br
; CHECK:         ret void
; CHECK:       right:
; CHECK:         call void @__atsan_stack_death(ptr %a, i64 4)
; CHECK-NEXT:    call void @__atsan_stack_death(ptr %b, i64 80)
; CHECK-NEXT:    br
; CHECK:         ret void
  %a = alloca i32
  %b = alloca i64, i32 10
  %private = alloca i64
  store i64 1, ptr %private
  call i32 @use2(ptr %a, ptr %b)
  br i1 %c, label %left, label %right
left:
  ret void
right:
  ret void
}

define void @lifetime(i1 %c) {
; CHECK-LABEL: define void @lifetime(
; CHECK-NEXT:    %a = alloca i32
; CHECK-NEXT:    br label %loop
; CHECK:       loop:
; CHECK-NEXT:    call void @llvm.lifetime.start.p0({{(i64 4, )?}}ptr %a)
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_stack_birth(ptr %a, i64 4)
; CHECK:         call void @use(ptr %a)
; CHECK-NEXT:    call void @llvm.lifetime.end.p0({{(i64 4, )?}}ptr %a)
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         call void @__atsan_stack_death(ptr %a, i64 4)
; CHECK:       done:
; CHECK-NEXT:    ret void
  %a = alloca i32
  br label %loop
loop:
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  call void @use(ptr %a)
  call void @llvm.lifetime.end.p0(i64 4, ptr %a)
  br i1 %c, label %loop, label %done
done:
  ret void
}

; Slots that share an address: death of one, birth of the other, in order with
; the accesses.
define void @order(ptr %p) {
; CHECK-LABEL: define void @order(
; CHECK:         call void @use(ptr %a)
; CHECK:         call void @__atsan_write4(ptr %a)
; CHECK-NEXT:    call void @__atsan_stack_death(ptr %a, i64 4)
; CHECK-NEXT:    call void @__atsan_stack_birth(ptr %b, i64 4)
; CHECK-NEXT:    call void @__atsan_write4(ptr %b)
; CHECK:         call void @use(ptr %b)
  %a = alloca i32
  %b = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  call void @use(ptr %a)
  store i32 1, ptr %a
  call void @llvm.lifetime.end.p0(i64 4, ptr %a)
  call void @llvm.lifetime.start.p0(i64 4, ptr %b)
  store i32 1, ptr %b
  call void @use(ptr %b)
  call void @llvm.lifetime.end.p0(i64 4, ptr %b)
  ret void
}

define void @dynamic(i64 %n) {
; CHECK-LABEL: define void @dynamic(
; CHECK:         %a = alloca i32, i64 %n
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate
; CHECK:         [[SIZE:%.*]] = mul i64 4, %n
; CHECK-NEXT:    call void @__atsan_stack_birth(ptr %a, i64 [[SIZE]])
; CHECK:         call void @use(ptr %a)
; CHECK:         [[END:%.*]] = call ptr @llvm.stacksave.p0()
; CHECK:         call void @llvm.stackrestore.p0(ptr %s)
; CHECK:         call void @__atsan_stack_death(ptr [[END]], i64
; CHECK:         call void @use(ptr null)
; CHECK:         call void @__atsan_stack_death(
; CHECK:         ret void
  %s = call ptr @llvm.stacksave.p0()
  %a = alloca i32, i64 %n
  call void @use(ptr %a)
  call void @llvm.stackrestore.p0(ptr %s)
  call void @use(ptr null)
  ret void
}

; The stack ends at the same place as at the entry, where none was made.
define void @dynamic_or_none(i64 %n, i1 %c) {
; CHECK-LABEL: define void @dynamic_or_none(
; CHECK-NEXT:    [[ENTRY:%.*]] = call ptr @llvm.stacksave.p0()
; CHECK:         [[END:%.*]] = call ptr @llvm.stacksave.p0()
; CHECK:         [[ABOVE:%.*]] = ptrtoint ptr [[ENTRY]] to i64
; CHECK:         [[BELOW:%.*]] = ptrtoint ptr [[END]] to i64
; CHECK:         [[SIZE:%.*]] = sub i64 [[ABOVE]], [[BELOW]]
; CHECK:         call void @__atsan_stack_death(ptr [[END]], i64
; CHECK:         ret void
  br i1 %c, label %some, label %done
some:
  %a = alloca i32, i64 %n
  call void @use(ptr %a)
  br label %done
done:
  ret void
}

; Nobody else knows of it.
define void @dynamic_private(i64 %n) {
; CHECK-LABEL: define void @dynamic_private(
; CHECK-NEXT:    %a = alloca
; CHECK-NEXT:    store
; CHECK-NEXT:    ret void
  %a = alloca i32, i64 %n
  store i32 1, ptr %a
  ret void
}

define void @exception() personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: define void @exception(
; CHECK:         invoke void @use(ptr %a)
; CHECK:       bad:
; CHECK-NEXT:    %e = landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    call void @__atsan_stack_death(ptr %a, i64 4)
; CHECK:         resume { ptr, i32 } %e
  %a = alloca i32
  invoke void @use(ptr %a) to label %ok unwind label %bad
ok:
  ret void
bad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

; Nothing may come between a musttail call and its return.
define void @tail(ptr %p) {
; CHECK-LABEL: define void @tail(
; CHECK:         call void @__atsan_stack_death8(ptr %a)
; CHECK:         musttail call void @tail(ptr %p)
; CHECK-NEXT:    ret void
  %a = alloca ptr
  store ptr %a, ptr %p
  musttail call void @tail(ptr %p)
  ret void
}

; A static alloca behind other code stays static when the block is split.
define void @late_alloca(ptr %p) {
; CHECK-LABEL: define void @late_alloca(
; CHECK-NEXT:    %a = alloca i32
; CHECK-NEXT:    store i32 1, ptr %p
; CHECK:         call void @__atsan_stack_birth(ptr %a, i64 4)
  store i32 1, ptr %p
  %a = alloca i32
  call void @use(ptr %a)
  ret void
}

define void @empty_object() {
; CHECK-LABEL: define void @empty_object(
; CHECK-NOT:     @__atsan
; CHECK:         ret void
  %a = alloca {}
  call void @use(ptr %a)
  ret void
}

; The most frequent sizes have hooks of their own; elements of 8 bytes are not 8
; bytes.
define void @sizes(i64 %n) {
; CHECK-LABEL: define void @sizes(
; CHECK:         call void @__atsan_stack_birth8(ptr %a)
; CHECK-NEXT:    call void @__atsan_stack_birth16(ptr %b)
; CHECK-NEXT:    call void @__atsan_stack_birth(ptr %c, i64 24)
; CHECK-NEXT:    call void @__atsan_stack_birth32(ptr %d)
; CHECK:         [[BYTES:%.*]] = mul i64 8, %n
; CHECK-NEXT:    call void @__atsan_stack_birth(ptr %v, i64 [[BYTES]])
; CHECK:         call void @__atsan_stack_death8(ptr %a)
; CHECK-NEXT:    call void @__atsan_stack_death16(ptr %b)
; CHECK-NEXT:    call void @__atsan_stack_death(ptr %c, i64 24)
; CHECK-NEXT:    call void @__atsan_stack_death32(ptr %d)
  %a = alloca i64
  %b = alloca [2 x i64]
  %c = alloca [3 x i64]
  %d = alloca [4 x i64]
  call void @use(ptr %a)
  call void @use(ptr %b)
  call void @use(ptr %c)
  call void @use(ptr %d)
  %v = alloca i64, i64 %n
  call void @use(ptr %v)
  ret void
}
