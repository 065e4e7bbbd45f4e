; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; Intent: functions that cannot or must not be instrumented are not touched.

; STATS: {{^ *}}1 atsan - functions instrumented
; STATS: {{^ *}}7 atsan - function bodies left alone

@shared = global i32 0
@chosen = ifunc void (), ptr @resolver

; CHECK-LABEL: define void @ordinary(
; CHECK:         call void @__atsan_write4(
define void @ordinary() {
  store i32 1, ptr @shared
  ret void
}

; CHECK-LABEL: define void @no_frame(
; CHECK-NOT:     @__atsan
; CHECK:         unreachable
define void @no_frame() naked {
  store i32 1, ptr @shared
  call void asm sideeffect "ret", ""()
  unreachable
}

; CHECK-LABEL: define available_externally void @elsewhere(
; CHECK-NOT:     @__atsan
; CHECK:         ret
define available_externally void @elsewhere() {
  store i32 1, ptr @shared
  ret void
}

; CHECK-LABEL: define internal ptr @resolver(
; CHECK-NOT:     @__atsan
; CHECK:         ret
define internal ptr @resolver() {
  store i32 1, ptr @shared
  ret ptr @ordinary
}

; CHECK-LABEL: define void @coroutine(
; CHECK-NOT:     @__atsan
; CHECK:         ret
define void @coroutine() presplitcoroutine {
  store i32 1, ptr @shared
  ret void
}

; CHECK-LABEL: define ptr @__atsan_default_options(
; CHECK-NOT:     @__atsan
; CHECK:         ret
define ptr @__atsan_default_options() {
  store i32 1, ptr @shared
  ret ptr null
}

; CHECK-LABEL: define void @disabled()
; CHECK-SAME:    [[DISABLED:#[0-9]+]]
; CHECK-NOT:     @__atsan
; CHECK:         ret
define void @disabled() disable_sanitizer_instrumentation {
  store i32 1, ptr @shared
  ret void
}

declare i32 @__C_specific_handler(...)
declare void @may_throw()

; CHECK-LABEL: define void @windows(
; CHECK-NOT:     @__atsan
; CHECK:         ret
define void @windows() personality ptr @__C_specific_handler {
  store i32 1, ptr @shared
  invoke void @may_throw() to label %ok unwind label %bad
ok:
  ret void
bad:
  %c = cleanuppad within none []
  cleanupret from %c unwind to caller
}

; CHECK: attributes [[DISABLED]] = {{.*}}disable_sanitizer_instrumentation "atsan-no-sanitize"{{.*}}
