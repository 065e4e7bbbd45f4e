; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; Intent: what an opt-out adds to a function, and that the twin without one is
; instrumented.

; STATS-DAG: {{^ *}}2 atsan - functions opted out
; STATS-DAG: {{^ *}}2 atsan - accesses skipped: marked nosanitize

declare void @elsewhere()

; CHECK-LABEL: define internal void @local(
; CHECK-SAME:    [[OUT:#[0-9]+]]
; CHECK-NEXT:    store i8 1, ptr %p
; CHECK-NEXT:    call void @elsewhere(){{$}}
; CHECK-NEXT:    ret void
define internal void @local(ptr %p) {
  store i8 1, ptr %p
  call void @elsewhere()
  ret void
}

; The function that must be inlined, for its assembly, is when the hooks are there.
; CHECK-LABEL: define i8 @always(
; CHECK-SAME:    [[ALWAYS:#[0-9]+]]
; CHECK-NEXT:    store i8 1, ptr %p
; CHECK-NEXT:    load i8, ptr %p
; CHECK-NEXT:    call void asm
; CHECK-NEXT:    call void @elsewhere(){{$}}
define i8 @always(ptr %p) alwaysinline {
  store i8 1, ptr %p
  %v = load i8, ptr %p
  call void asm sideeffect "", ""()
  call void @elsewhere()
  ret i8 %v
}

; CHECK-LABEL: define i8 @twin(
; CHECK:         call void @__atsan_write1(ptr %p)
; CHECK:         call void @local(ptr %p)
; CHECK-NEXT:    store i8 1, ptr %p
; CHECK-NEXT:    load i8, ptr %p
; CHECK-NEXT:    call void asm
; CHECK-NEXT:    call void @elsewhere(){{$}}
; CHECK-NEXT:    ret i8
define i8 @twin(ptr %p) {
  store i8 1, ptr %p
  call void @local(ptr %p)
  %v = call i8 @always(ptr %p)
  ret i8 %v
}

; What other sanitizers add is no access of the program.
; CHECK-LABEL: define void @inlined(
; CHECK-NEXT:    store i8 1, ptr %p, align 1, !nosanitize
; CHECK-NEXT:    load i8, ptr %p, align 1, !nosanitize
; CHECK-NEXT:    ret void
define void @inlined(ptr %p) {
  store i8 1, ptr %p, !nosanitize !0
  %v = load i8, ptr %p, !nosanitize !0
  ret void
}

; CHECK-DAG: attributes [[OUT]] = { "atsan-no-sanitize" {{("no-builtin-[a-z]+" )+}}}
; CHECK-DAG: attributes [[ALWAYS]] = { alwaysinline "atsan-inlined" "atsan-no-sanitize" {{("no-builtin-[a-z]+" )+}}}

@text = private unnamed_addr constant [18 x i8] c"atsan_no_sanitize\00", section "llvm.metadata"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @local, ptr @text, ptr @text, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @always, ptr @text, ptr @text, i32 1, ptr null }
], section "llvm.metadata"

!0 = !{}
