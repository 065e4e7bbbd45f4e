; RUN: sed 's/MMX\b/%mmx/g' %s | opt -load-pass-plugin=%plugin -passes=atsan -S | FileCheck %s
; Intent: of x86's intrinsics, the bytes that the processor reads and writes for
; certain are reported: no registers that it may leave out, no lane whose bit is 0.

target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare <16 x i8> @llvm.x86.sse3.ldu.dq(ptr)
declare void @llvm.x86.fxsave(ptr)
declare void @llvm.x86.xsave64(ptr, i32, i32)
declare void @llvm.x86.xsaveopt(ptr, i32, i32)
declare void @llvm.x86.movdir64b(ptr, ptr)
declare void @llvm.x86.clzero(ptr)
declare void @llvm.x86.avx512.mask.pmovs.qw.mem.256(ptr, <4 x i64>, i8)
declare <4 x i32> @llvm.x86.avx512.gather3siv4.si(<4 x i32>, ptr, <4 x i32>, i8, i32)
declare void @llvm.x86.mmx.maskmovq(MMX, MMX, ptr)
declare void @llvm.x86.cldemote(ptr)

; CHECK-LABEL: define <16 x i8> @unaligned(
; CHECK:         call void @__atsan_read_range(ptr %p, i64 16)
define <16 x i8> @unaligned(ptr %p) {
  %v = call <16 x i8> @llvm.x86.sse3.ldu.dq(ptr %p)
  ret <16 x i8> %v
}

; What lies behind the registers is the program's.
; CHECK-LABEL: define void @registers(
; CHECK:         call void @__atsan_write_range(ptr %p, i64 416)
; CHECK-NOT:     @__atsan_
; CHECK:         call void @llvm.x86.fxsave
define void @registers(ptr %p) {
  call void @llvm.x86.fxsave(ptr %p)
  ret void
}

; MXCSR, vector registers and the header.
; CHECK-LABEL: define void @vectors_only(
; CHECK:         [[A:%.*]] = getelementptr i8, ptr %p, i64 24
; CHECK:         call void @__atsan_write{{.*}}(ptr [[A]]
; CHECK:         [[B:%.*]] = getelementptr i8, ptr %p, i64 160
; CHECK:         call void @__atsan_write_range(ptr [[B]], i64 256)
; CHECK:         [[C:%.*]] = getelementptr i8, ptr %p, i64 512
; CHECK:         call void @__atsan_write{{.*}}(ptr [[C]]
; CHECK-NOT:     @__atsan_
; CHECK:         call void @llvm.x86.xsave64
define void @vectors_only(ptr %p) {
  call void @llvm.x86.xsave64(ptr %p, i32 0, i32 2)
  ret void
}

; The optimizing form and unknown masks: only the header is certain.
; CHECK-LABEL: define void @header(
; CHECK:         [[H:%.*]] = getelementptr i8, ptr %p, i64 512
; CHECK:         call void @__atsan_write{{.*}}(ptr [[H]]
; CHECK-NOT:     @__atsan_
; CHECK:         call void @llvm.x86.xsaveopt
; CHECK:         [[G:%.*]] = getelementptr i8, ptr %p, i64 512
; CHECK:         call void @__atsan_write{{.*}}(ptr [[G]]
; CHECK-NOT:     @__atsan_
; CHECK:         call void @llvm.x86.xsave64
define void @header(ptr %p, i32 %states) {
  call void @llvm.x86.xsaveopt(ptr %p, i32 -1, i32 -1)
  call void @llvm.x86.xsave64(ptr %p, i32 0, i32 %states)
  ret void
}

; CHECK-LABEL: define void @moves(
; CHECK:         call void @__atsan_read_range(ptr %from, i64 64)
; CHECK-NEXT:    call void @__atsan_write_range(ptr %to, i64 64)
define void @moves(ptr %to, ptr %from) {
  call void @llvm.x86.movdir64b(ptr %to, ptr %from)
  ret void
}

; The whole line that the address is in.
; CHECK-LABEL: define void @zeroes(
; CHECK:         [[L:%.*]] = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -64)
; CHECK:         call void @__atsan_write_range(ptr [[L]], i64 64)
define void @zeroes(ptr %p) {
  call void @llvm.x86.clzero(ptr %p)
  ret void
}

; From 8 bytes to 2.
; CHECK-LABEL: define void @truncates(
; CHECK:         [[M:%.*]] = bitcast i8 %m to <8 x i1>
; CHECK:         [[M3:%.*]] = extractelement <8 x i1> [[M]], i64 3
; CHECK-NEXT:    [[S3:%.*]] = select i1 [[M3]], i64 2, i64 0
; CHECK-NEXT:    [[P3:%.*]] = getelementptr i8, ptr %p, i64 6
; CHECK-NEXT:    call void @__atsan_write_range(ptr [[P3]], i64 [[S3]])
; CHECK-NOT:     @__atsan_
; CHECK:         ret
define void @truncates(ptr %p, <4 x i64> %v, i8 %m) {
  call void @llvm.x86.avx512.mask.pmovs.qw.mem.256(ptr %p, <4 x i64> %v, i8 %m)
  ret void
}

; A constant mask: lanes 0 and 3.
; CHECK-LABEL: define <4 x i32> @gathers(
; CHECK:         extractelement <4 x i32> %i, i64 0
; CHECK-NOT:     extractelement <4 x i32> %i, i64 1
; CHECK-NOT:     extractelement <4 x i32> %i, i64 2
; CHECK:         [[I3:%.*]] = extractelement <4 x i32> %i, i64 3
; CHECK:         call void @__atsan_read_range(ptr {{.*}}, i64 4)
define <4 x i32> @gathers(ptr %p, <4 x i32> %i) {
  %v = call <4 x i32> @llvm.x86.avx512.gather3siv4.si(<4 x i32> zeroinitializer, ptr %p, <4 x i32> %i, i8 9, i32 4)
  ret <4 x i32> %v
}

; CHECK-LABEL: define void @masked_bytes(
; CHECK:         [[V:%.*]] = bitcast {{x86_mmx|<1 x i64>}} %m to <8 x i8>
; CHECK:         [[N:%.*]] = icmp slt <8 x i8> [[V]], zeroinitializer
; CHECK:         [[N7:%.*]] = extractelement <8 x i1> [[N]], i64 7
; CHECK-NEXT:    [[S7:%.*]] = select i1 [[N7]], i64 1, i64 0
define void @masked_bytes(ptr %p, MMX %v, MMX %m) {
  call void @llvm.x86.mmx.maskmovq(MMX %v, MMX %m, ptr %p)
  ret void
}

; Not an access: nobody can tell from the data.
; CHECK-LABEL: define void @flushes(
; CHECK-NOT:     @__atsan_
; CHECK:         ret void
define void @flushes(ptr %p) {
  call void @llvm.x86.cldemote(ptr %p)
  ret void
}
