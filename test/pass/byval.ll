; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; Intent: a call that passes an argument by copy reads what it copies; in the
; callee the copy is a stack object like others, which is written at first.

; STATS: {{^ *}}2 atsan - arguments passed by copy instrumented

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%big = type { [5 x i64] }
declare void @callee(ptr byval(%big) align 8)
declare void @use(ptr)
declare i32 @__gxx_personality_v0(...)

define void @caller(ptr %p) {
; CHECK-LABEL: define void @caller(
; CHECK:         call void @__atsan_read_range(ptr %p, i64 40)
; CHECK:         call void @callee(ptr byval(%big) align 8 %p)
; CHECK-NEXT:    ret void
  call void @callee(ptr byval(%big) align 8 %p)
  ret void
}

define void @invoker(ptr %p) personality ptr @__gxx_personality_v0 {
; CHECK-LABEL: define void @invoker(
; CHECK:         call void @__atsan_read_range(ptr %p, i64 40)
; CHECK:         invoke void @callee(ptr byval(%big) align 8 %p)
  invoke void @callee(ptr byval(%big) align 8 %p) to label %ok unwind label %bad
ok:
  ret void
bad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

define void @copy_escapes(ptr byval(%big) align 8 %copy) {
; CHECK-LABEL: define void @copy_escapes(
; CHECK:         call void @__atsan_stack_birth(ptr %copy, i64 40)
; CHECK-NEXT:    call void @__atsan_write_range(ptr %copy, i64 40)
; CHECK:         call void @use(ptr %copy)
; CHECK:         call void @__atsan_stack_death(ptr %copy, i64 40)
; CHECK:         ret void
  store i64 1, ptr %copy
  call void @use(ptr %copy)
  ret void
}
