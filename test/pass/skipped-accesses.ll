; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; Intent: what is not the program's shared data is left alone, each under its
; own counter.

; STATS-DAG: {{^ *}}4 atsan - accesses skipped: marked nosanitize
; STATS-DAG: {{^ *}}2 atsan - accesses skipped: other address space
; STATS-DAG: {{^ *}}2 atsan - accesses skipped: swifterror register
; STATS-DAG: {{^ *}}5 atsan - accesses skipped: variable of the compiler
; STATS-DAG: {{^ *}}1 atsan - inline assembly operands in memory skipped
; STATS-DAG: {{^ *}}1 atsan - va_arg instructions skipped

; CHECK-NOT: @__atsan_{{read|write|mem|atomic}}

@__profc_f = private global [1 x i64] zeroinitializer, section "__llvm_prf_cnts"
@__llvm_gcov_ctr = internal global [1 x i64] zeroinitializer

define void @nosanitize(ptr %p, i64 %n) {
  %v = load i32, ptr %p, !nosanitize !0
  store i32 1, ptr %p, !nosanitize !0
  %a = atomicrmw add ptr %p, i32 1 seq_cst, !nosanitize !0
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false), !nosanitize !0
  ret void
}

define void @thread_segment() {
  %v = load i32, ptr addrspace(257) null
  store i32 1, ptr addrspace(257) null
  ret void
}

define void @error_register(ptr swifterror %e) {
  %v = load ptr, ptr %e
  store ptr null, ptr %e
  ret void
}

define void @profile(i64 %bias) {
  %c = load i64, ptr @__profc_f
  store i64 1, ptr @__profc_f
  %g = load i64, ptr @__llvm_gcov_ctr
  %a = atomicrmw add ptr @__profc_f, i64 1 monotonic
  %moved = add i64 ptrtoint (ptr @__profc_f to i64), %bias
  %there = inttoptr i64 %moved to ptr
  store i64 1, ptr %there
  ret void
}

; The operand says what the assembly may do, not what it does.
define void @assembly(ptr %p) {
  call void asm sideeffect "", "=*m"(ptr elementtype(i32) %p)
  ret void
}

define i32 @arguments(ptr %list, ...) {
  %v = va_arg ptr %list, i32
  ret i32 %v
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

!0 = !{}
