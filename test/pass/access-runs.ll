; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; RUN: opt -load-pass-plugin=%plugin -load=%plugin -passes=atsan -atsan-run-hooks=false -atsan-print-stats -S %s 2>&1 | FileCheck --check-prefix=OFF --implicit-check-not='{{8_run[345(]|several}}' %s
; OFF: 55 atsan - reads of 1, 2, 4 or 8 bytes
; Intent: neighbouring accesses of one size, up to 8 bytes, that follow each other
; in program order are one hook. What differs in anything else is reported by
; itself, and in its place.

target datalayout = "e-i64:64-i128:128-n8:16:32:64-S128"

; STATS-DAG: {{^ *}}20 atsan - hooks for several neighbouring ones of these
; STATS-DAG: {{^ *}}55 atsan - reads of 1, 2, 4 or 8 bytes
; STATS-DAG: {{^ *}}21 atsan - writes of 1, 2, 4 or 8 bytes

declare void @callee()

define void @reads(ptr %p) {
; CHECK-LABEL: define void @reads(
; CHECK:         call void @__atsan_read8_run3(ptr %p)
; CHECK-NEXT:    br
; CHECK-NOT:     @__atsan
; CHECK:         ret
  %a = load i64, ptr %p
  %q = getelementptr i8, ptr %p, i64 8
  %b = load double, ptr %q
  %r = getelementptr i8, ptr %q, i64 8
  %c = load ptr, ptr %r
  ret void
}

define void @writes(ptr %p, i64 %n) {
; CHECK-LABEL: define void @writes(
; CHECK:         %q = getelementptr
; CHECK:         call void @__atsan_write8_run2(ptr %q)
; CHECK-NEXT:    br
; CHECK-NOT:     @__atsan
; CHECK:         ret
  %at = getelementptr [4 x i64], ptr %p, i64 %n
  %q = getelementptr i8, ptr %at, i64 -8
  store i64 1, ptr %q
  store i64 2, ptr %at
  ret void
}

; Four have a hook of their own, more have one with a count.
define void @many(ptr %p) {
; CHECK-LABEL: define void @many(
; CHECK:         call void @__atsan_read8_run4(ptr %p)
; CHECK-NEXT:    call void @__atsan_write8_run4(ptr %p)
; CHECK-NEXT:    call void @__atsan_read8_run(ptr %p, i32 5)
; CHECK-NEXT:    call void @__atsan_write8_run(ptr %p, i32 5)
; CHECK-NEXT:    br
  %a = load {i64, i64, i64, i64}, ptr %p, align 8
  store {i64, i64, i64, i64} %a, ptr %p, align 8
  %b = load {i64, i64, i64, i64, i64}, ptr %p, align 8
  store {i64, i64, i64, i64, i64} %b, ptr %p, align 8
  ret void
}

; Addresses of a global are constants.
@pair = global [2 x i64] zeroinitializer, align 4
@two = global [2 x i64] zeroinitializer, align 8
define void @constants() {
; CHECK-LABEL: define void @constants(
; CHECK:         call void @__atsan_read8_run2(ptr @two)
; CHECK-NEXT:    br
; CHECK-NOT:     @__atsan
; CHECK:         ret
  %a = load i64, ptr @two, align 1
  %b = load i64, ptr getelementptr (i8, ptr @two, i64 8), align 1
  ret void
}

; Fields of one access are accesses of their own.
define void @aggregate(ptr %p, {i32, i64, i64} %v) {
; CHECK-LABEL: define void @aggregate(
; CHECK:         call void @__atsan_write4(ptr %p)
; CHECK-NEXT:    [[Q:%.*]] = getelementptr i8, ptr %p, i64 8
; CHECK-NEXT:    call void @__atsan_write8_run2(ptr [[Q]])
; CHECK-NEXT:    br
  store {i32, i64, i64} %v, ptr %p
  ret void
}

; Smaller ones, aligned or not, are told as a loop's: their size, and how many.
define void @small(ptr %p) {
; CHECK-LABEL: define void @small(
; CHECK:         call void @__atsan_write_strided(ptr %p, i64 1, i64 1, i64 2)
; CHECK-NEXT:    call void @__atsan_read_strided(ptr %p2, i64 4, i64 4, i64 3)
; CHECK-NEXT:    call void @__atsan_read2(ptr %p2)
; CHECK-NEXT:    call void @__atsan_write_strided(ptr %p8, i64 2, i64 2, i64 2)
; CHECK-NEXT:    br
  %p1 = getelementptr i8, ptr %p, i64 1
  %p2 = getelementptr i8, ptr %p, i64 2
  %p6 = getelementptr i8, ptr %p, i64 6
  %p8 = getelementptr i8, ptr %p, i64 8
  %p10 = getelementptr i8, ptr %p, i64 10
  store i8 1, ptr %p
  store i8 2, ptr %p1
  %a = load i32, ptr %p2, align 2
  %b = load i32, ptr %p6, align 1
  %c = load i32, ptr %p10, align 4
  %d = load i16, ptr %p2
  store i16 0, ptr %p8
  store i16 1, ptr %p10
  ret void
}

; What a vectorizer made of several is as many.
define void @vectors(ptr %p, ptr %q, ptr %r) {
; CHECK-LABEL: define void @vectors(
; CHECK:         call void @__atsan_write8_run(ptr %p, i32 5)
; CHECK-NEXT:    call void @__atsan_write_strided(ptr %q, i64 8, i64 8, i64 2)
; CHECK-NEXT:    call void @__atsan_write_strided(ptr %q16, i64 4, i64 4, i64 6)
; CHECK-NEXT:    call void @__atsan_write_range(ptr %r, i64 16)
; CHECK-NEXT:    br
  %p16 = getelementptr i8, ptr %p, i64 16
  %p32 = getelementptr i8, ptr %p, i64 32
  store <2 x double> zeroinitializer, ptr %p, align 8, !atsan.elements !19
  store <2 x double> zeroinitializer, ptr %p16, align 8, !atsan.elements !19
  store double 0.0, ptr %p32
  %q16 = getelementptr i8, ptr %q, i64 16
  %q32 = getelementptr i8, ptr %q, i64 32
  store <2 x double> zeroinitializer, ptr %q, align 4, !atsan.elements !19
  store <4 x float> zeroinitializer, ptr %q16, !atsan.elements !20
  store <2 x float> zeroinitializer, ptr %q32, !atsan.elements !20
  store <2 x double> zeroinitializer, ptr %r
  ret void
}

; A second run may follow the first, and single accesses it.
define void @two_runs(ptr %p, ptr %q) {
; CHECK-LABEL: define void @two_runs(
; CHECK:         call void @__atsan_read8_run2(ptr %p)
; CHECK-NEXT:    call void @__atsan_read8_run2(ptr %q)
; CHECK-NEXT:    call void @__atsan_read8(ptr %p)
; CHECK-NEXT:    br
  %p1 = getelementptr i8, ptr %p, i64 8
  %q1 = getelementptr i8, ptr %q, i64 8
  %a = load i64, ptr %p
  %b = load i64, ptr %p1
  %c = load i64, ptr %q
  %d = load i64, ptr %q1
  %e = load i64, ptr %p
  ret void
}

define void @downwards(ptr %p) {
; CHECK-LABEL: define void @downwards(
; CHECK:         call void @__atsan_read8(ptr %q)
; CHECK-NEXT:    call void @__atsan_read8(ptr %p)
  %q = getelementptr i8, ptr %p, i64 8
  %a = load i64, ptr %q
  %b = load i64, ptr %p
  ret void
}

define void @gap(ptr %p) {
; CHECK-LABEL: define void @gap(
; CHECK:         call void @__atsan_read8(ptr %p)
; CHECK-NEXT:    call void @__atsan_read8(ptr %q)
  %q = getelementptr i8, ptr %p, i64 16
  %a = load i64, ptr %p
  %b = load i64, ptr %q
  ret void
}

define void @other_base(ptr %p, ptr %b) {
; CHECK-LABEL: define void @other_base(
; CHECK:         call void @__atsan_read8(ptr %p)
; CHECK-NEXT:    call void @__atsan_read8(ptr %q)
  %q = getelementptr i8, ptr %b, i64 8
  %x = load i64, ptr %p
  %y = load i64, ptr %q
  ret void
}

define void @unknown_distance(ptr %p, i64 %n) {
; CHECK-LABEL: define void @unknown_distance(
; CHECK:         call void @__atsan_read8(ptr %p)
; CHECK-NEXT:    call void @__atsan_read8(ptr %q)
  %q = getelementptr i64, ptr %p, i64 %n
  %x = load i64, ptr %p
  %y = load i64, ptr %q
  ret void
}

define void @other_kind(ptr %p) {
; CHECK-LABEL: define void @other_kind(
; CHECK:         call void @__atsan_read8(ptr %p)
; CHECK-NEXT:    call void @__atsan_write8(ptr %q)
  %q = getelementptr i8, ptr %p, i64 8
  %a = load i64, ptr %p
  store i64 1, ptr %q
  ret void
}

define void @other_size(ptr %p) {
; CHECK-LABEL: define void @other_size(
; CHECK:         call void @__atsan_read8(ptr %p)
; CHECK-NEXT:    call void @__atsan_read4(ptr %q)
; CHECK-NEXT:    call void @__atsan_read2(ptr %r)
; CHECK-NEXT:    call void @__atsan_read_range(ptr %s, i64 16)
; CHECK-NEXT:    call void @__atsan_read_range(ptr %t, i64 16)
  %q = getelementptr i8, ptr %p, i64 8
  %r = getelementptr i8, ptr %p, i64 12
  %s = getelementptr i8, ptr %p, i64 16
  %t = getelementptr i8, ptr %p, i64 32
  %a = load i64, ptr %p
  %b = load i32, ptr %q
  %c = load i16, ptr %r
  %d = load i128, ptr %s
  %e = load i128, ptr %t
  ret void
}

; Behind something aligned is something aligned.
define void @not_aligned(ptr %p) {
; CHECK-LABEL: define void @not_aligned(
; CHECK:         call void @__atsan_read8_run2(ptr %p)
; CHECK-NEXT:    call void @__atsan_read_strided(ptr @pair, i64 8, i64 8, i64 2)
  %q = getelementptr i8, ptr %p, i64 8
  %a = load i64, ptr %p
  %b = load i64, ptr %q, align 4
  %c = load i64, ptr @pair, align 4
  %d = load i64, ptr getelementptr (i8, ptr @pair, i64 8), align 4
  ret void
}

; Outside regions the order of reads matters as much as any.
define void @other_access_between(ptr %p, ptr %x) {
; CHECK-LABEL: define void @other_access_between(
; CHECK:         call void @__atsan_read8(ptr %p)
; CHECK-NEXT:    call void @__atsan_read8(ptr %x)
; CHECK-NEXT:    call void @__atsan_read8(ptr %q)
  %q = getelementptr i8, ptr %p, i64 8
  %a = load i64, ptr %p
  %b = load i64, ptr %x
  %c = load i64, ptr %q
  ret void
}

define void @visible_point_between(ptr %p) {
; CHECK-LABEL: define void @visible_point_between(
; CHECK:         call void @__atsan_read8(ptr %p)
; CHECK:         call void @callee()
; CHECK:         call void @__atsan_read8(ptr %q)
  %q = getelementptr i8, ptr %p, i64 8
  %a = load i64, ptr %p
  call void @callee()
  %b = load i64, ptr %q
  ret void
}

define void @birth_between(ptr %p) {
; CHECK-LABEL: define void @birth_between(
; CHECK:         call void @__atsan_read8(ptr %p)
; CHECK-NEXT:    call void @__atsan_stack_birth8(ptr %a)
; CHECK-NEXT:    call void @__atsan_read8(ptr %q)
  %a = alloca i64
  %q = getelementptr i8, ptr %p, i64 8
  %x = load i64, ptr %p
  call void @llvm.lifetime.start.p0(i64 8, ptr %a)
  %y = load i64, ptr %q
  call void @use(ptr %a)
  ret void
}

; The first is of some lanes, and of no known number of bytes.
define void @lanes(ptr align 8 %p, <2 x i1> %m) {
; CHECK-LABEL: define void @lanes(
; CHECK-NOT:     @__atsan_read8_run
; CHECK:         call void @__atsan_read8(ptr %q)
; CHECK-NEXT:    br
  %q = getelementptr i8, ptr %p, i64 8
  %a = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr %p, i32 8, <2 x i1> %m, <2 x i64> zeroinitializer)
  %b = load i64, ptr %q
  ret void
}

; Written if the exchange fails.
define void @maybe(ptr %p, ptr align 8 %e) {
; CHECK-LABEL: define void @maybe(
; CHECK:         call void @__atsan_write_range(ptr %e, i64 {{%.*}})
; CHECK-NEXT:    call void @__atsan_write8(ptr %q)
  %q = getelementptr i8, ptr %e, i64 8
  %done = call zeroext i1 @__atomic_compare_exchange_8(ptr %p, ptr %e, i64 1, i32 5, i32 5)
  store i64 1, ptr %q
  ret void
}

define void @lines(ptr %p) !dbg !5 {
; CHECK-LABEL: define void @lines(
; The same column, other columns, another line.
; CHECK:         call void @__atsan_read8_run2(ptr %p){{.*}}, !dbg [[SAME:![0-9]+]]
; CHECK:         call void @__atsan_read8_run3(ptr %p2){{.*}}, !dbg [[LINE:![0-9]+]]
; CHECK:         call void @__atsan_read8(ptr %p5){{.*}}, !dbg [[NEXT:![0-9]+]]
; Inlined from a line of the same number, by one call and by another.
; CHECK:         call void @__atsan_read8_run2(ptr %p6){{.*}}, !dbg [[INLINED:![0-9]+]]
; CHECK:         call void @__atsan_read8(ptr %p8){{.*}}, !dbg [[AGAIN:![0-9]+]]
; Of another file, of the first again, and without a line.
; CHECK:         call void @__atsan_read8(ptr %p9){{.*}}, !dbg [[FILE:![0-9]+]]
; CHECK:         call void @__atsan_read8(ptr %p10){{.*}}, !dbg [[NEXT]]
; CHECK:         call void @__atsan_read8(ptr %p11){{.*}}, !dbg [[NONE:![0-9]+]]
; CHECK-NEXT:    br
  %p1 = getelementptr i8, ptr %p, i64 8
  %p2 = getelementptr i8, ptr %p, i64 16
  %p3 = getelementptr i8, ptr %p, i64 24
  %p4 = getelementptr i8, ptr %p, i64 32
  %p5 = getelementptr i8, ptr %p, i64 40
  %p6 = getelementptr i8, ptr %p, i64 48
  %p7 = getelementptr i8, ptr %p, i64 56
  %p8 = getelementptr i8, ptr %p, i64 64
  %p9 = getelementptr i8, ptr %p, i64 72
  %p10 = getelementptr i8, ptr %p, i64 80
  %p11 = getelementptr i8, ptr %p, i64 88
  %v0 = load i64, ptr %p, !dbg !8
  %v1 = load i64, ptr %p1, !dbg !8
  %v2 = load i64, ptr %p2, !dbg !9
  %v3 = load i64, ptr %p3, !dbg !10
  %v4 = load i64, ptr %p4, !dbg !9
  %v5 = load i64, ptr %p5, !dbg !11
  %v6 = load i64, ptr %p6, !dbg !12
  %v7 = load i64, ptr %p7, !dbg !12
  %v8 = load i64, ptr %p8, !dbg !13
  %v9 = load i64, ptr %p9, !dbg !14
  %v10 = load i64, ptr %p10, !dbg !11
  %v11 = load i64, ptr %p11
  ret void, !dbg !15
}

declare void @use(ptr)
declare zeroext i1 @__atomic_compare_exchange_8(ptr, ptr, i64, i32, i32)
declare <2 x i64> @llvm.masked.load.v2i64.p0(ptr, i32, <2 x i1>, <2 x i64>)
declare void @llvm.lifetime.start.p0(i64, ptr)

; CHECK-DAG: [[F:![0-9]+]] = distinct !DISubprogram(name: "lines"
; CHECK-DAG: [[G:![0-9]+]] = distinct !DISubprogram(name: "g"
; CHECK-DAG: [[SAME]] = !DILocation(line: 12, column: 3, scope: [[F]])
; CHECK-DAG: [[LINE]] = !DILocation(line: 13, scope: [[F]])
; CHECK-DAG: [[NEXT]] = !DILocation(line: 14, column: 3, scope: [[F]])
; CHECK-DAG: [[INLINED]] = !DILocation(line: 14, column: 3, scope: [[G]], inlinedAt: [[AT:![0-9]+]])
; CHECK-DAG: [[AGAIN]] = !DILocation(line: 14, column: 3, scope: [[G]], inlinedAt: [[AT2:![0-9]+]])
; CHECK-DAG: [[AT]] = distinct !DILocation(line: 15, column: 5,
; CHECK-DAG: [[AT2]] = distinct !DILocation(line: 15, column: 9,
; CHECK-DAG: [[FILE]] = !DILocation(line: 14, column: 3, scope: [[OTHER:![0-9]+]])
; CHECK-DAG: [[OTHER]] = !DILexicalBlockFile(
; CHECK-DAG: [[NONE]] = !DILocation(line: 11, scope: [[F]])

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}

!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "f.c", directory: "/")
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "lines", scope: !2, file: !2, line: 10, type: !3, scopeLine: 11, spFlags: DISPFlagDefinition, unit: !1)
!6 = distinct !DISubprogram(name: "g", scope: !2, file: !2, line: 1, type: !3, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !1)
!7 = !DIFile(filename: "f.inc", directory: "/")
!8 = !DILocation(line: 12, column: 3, scope: !5)
!9 = !DILocation(line: 13, column: 3, scope: !5)
!10 = !DILocation(line: 13, column: 8, scope: !5)
!11 = !DILocation(line: 14, column: 3, scope: !5)
!12 = !DILocation(line: 14, column: 3, scope: !6, inlinedAt: !16)
!13 = !DILocation(line: 14, column: 3, scope: !6, inlinedAt: !17)
!14 = !DILocation(line: 14, column: 3, scope: !18)
!15 = !DILocation(line: 18, column: 3, scope: !5)
!16 = distinct !DILocation(line: 15, column: 5, scope: !5)
!17 = distinct !DILocation(line: 15, column: 9, scope: !5)
!18 = !DILexicalBlockFile(scope: !5, file: !7, discriminator: 0)
!19 = !{i64 8}
!20 = !{i64 4}
