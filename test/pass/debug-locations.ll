; RUN: opt -load-pass-plugin=%plugin -passes=atsan -S %s | FileCheck %s
; Intent: everything that is inserted has a source location; each hook that of
; its own access, inlining included. What has none gets the function's line.

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @use(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
@shared = global i32 0

define i32 @f(ptr %p, ptr %q, i64 %n) !dbg !5 {
; CHECK-LABEL: define i32 @f(
; CHECK-NEXT:    %a = alloca i32
; CHECK-NEXT:    store i32 1, ptr %p, align 4, !dbg [[FIRST:![0-9]+]]
; CHECK-NEXT:    %v = load i32, ptr %q, align 4, !dbg [[INLINED:![0-9]+]]
; CHECK-NEXT:    load volatile i32, ptr @__atsan_gate, align 4, !dbg [[INLINED]], !nosanitize
; CHECK-NEXT:    icmp ne {{.*}}, !dbg [[INLINED]]
; CHECK-NEXT:    br i1 {{.*}}, !dbg [[INLINED]], !prof
; CHECK:         call void @__atsan_stack_birth(ptr %a, i64 4) {{.*}}, !dbg [[ENTRY:![0-9]+]]
; CHECK-NEXT:    call void @__atsan_write4(ptr %p) {{.*}}, !dbg [[FIRST]]
; CHECK-NEXT:    call void @__atsan_read4(ptr %q) {{.*}}, !dbg [[INLINED]]
; CHECK-NEXT:    br label {{.*}}, !dbg [[INLINED]]
; CHECK:         call ptr @__atsan_memset({{.*}}, !dbg [[SET:![0-9]+]]
; CHECK:         load volatile i32, ptr @__atsan_enabled, align 4, !dbg [[RMW:![0-9]+]]
; CHECK:         call i32 @__atsan_atomic_enter({{.*}}, !dbg [[RMW]]
; CHECK-NEXT:    br label {{.*}}, !dbg [[RMW]]
; CHECK:         phi i32 {{.*}}, !dbg [[RMW]]
; CHECK-NEXT:    atomicrmw {{.*}}, !dbg [[RMW]]
; CHECK-NEXT:    icmp {{.*}}, !dbg [[RMW]]
; CHECK-NEXT:    br i1 {{.*}}, !dbg [[RMW]]
; CHECK:         call void @__atsan_atomic_exit({{.*}}, !dbg [[RMW]]
; CHECK-NEXT:    br label {{.*}}, !dbg [[RMW]]
; CHECK:         store i32 3, ptr @shared, align 4{{$}}
; CHECK:         call void @__atsan_write4(ptr @shared) {{.*}}, !dbg [[ENTRY]]
; CHECK:         call void @__atsan_stack_death(ptr %a, i64 4) {{.*}}, !dbg [[RET:![0-9]+]]
; CHECK:         ret i32 %v, !dbg [[RET]]
  %a = alloca i32
  store i32 1, ptr %p, !dbg !8
  %v = load i32, ptr %q, !dbg !9
  call void @use(ptr %a), !dbg !10
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false), !dbg !13
  atomicrmw add ptr %p, i32 1 seq_cst, !dbg !14
  store i32 3, ptr @shared
  call void @use(ptr %p), !dbg !15
  ret i32 %v, !dbg !16
}

; CHECK-DAG: [[F:![0-9]+]] = distinct !DISubprogram(name: "f"
; CHECK-DAG: [[G:![0-9]+]] = distinct !DISubprogram(name: "g"
; CHECK-DAG: [[ENTRY]] = !DILocation(line: 11, scope: [[F]])
; CHECK-DAG: [[FIRST]] = !DILocation(line: 12, column: 3, scope: [[F]])
; CHECK-DAG: [[INLINED]] = !DILocation(line: 2, column: 10, scope: [[G]], inlinedAt: [[AT:![0-9]+]])
; CHECK-DAG: [[AT]] = distinct !DILocation(line: 13, column: 5, scope: [[F]])
; CHECK-DAG: [[SET]] = !DILocation(line: 15,
; CHECK-DAG: [[RMW]] = !DILocation(line: 16,
; CHECK-DAG: [[RET]] = !DILocation(line: 18,

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "f.c", directory: "/")
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 10, type: !3, scopeLine: 11, spFlags: DISPFlagDefinition, unit: !1)
!6 = distinct !DISubprogram(name: "g", scope: !2, file: !2, line: 1, type: !3, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !1)
!8 = !DILocation(line: 12, column: 3, scope: !5)
!9 = !DILocation(line: 2, column: 10, scope: !6, inlinedAt: !11)
!10 = !DILocation(line: 14, column: 3, scope: !5)
!11 = distinct !DILocation(line: 13, column: 5, scope: !5)
!13 = !DILocation(line: 15, column: 3, scope: !5)
!14 = !DILocation(line: 16, column: 3, scope: !5)
!15 = !DILocation(line: 17, column: 3, scope: !5)
!16 = !DILocation(line: 18, column: 3, scope: !5)
