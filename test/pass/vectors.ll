; RUN: opt -load-pass-plugin=%plugin -passes=atsan -atsan-print-stats -S %s 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s <%t.stats
; Intent: masked and predicated vector accesses are exact to the byte: only
; active lanes are reported (an empty range is nothing).

; STATS-DAG: {{^ *}}15 atsan - vector accesses by lane instrumented
; STATS-DAG: {{^ *}}1 atsan - intrinsics of unknown footprint skipped

target datalayout = "e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare <4 x float> @llvm.x86.avx.maskload.ps(ptr, <4 x i32>)
declare void @llvm.x86.avx2.maskstore.q(ptr, <2 x i64>, <2 x i64>)
declare void @llvm.x86.sse2.maskmov.dqu(<16 x i8>, <16 x i8>, ptr)
declare <4 x float> @llvm.x86.avx2.gather.q.ps(<4 x float>, ptr, <2 x i64>, <4 x float>, i8)
declare void @llvm.x86.avx512.mask.scatter.dpq.512(ptr, <8 x i1>, <8 x i32>, <8 x i64>, i32)

; x86's own: a lane is active if the sign bit of its mask is set.
define <4 x float> @x86_masked_load(ptr %p, <4 x i32> %m) {
; CHECK-LABEL: define <4 x float> @x86_masked_load(
; CHECK:         [[M:%.*]] = icmp slt <4 x i32> %m, zeroinitializer
; CHECK:         [[M3:%.*]] = extractelement <4 x i1> [[M]], i64 3
; CHECK-NEXT:    [[S3:%.*]] = select i1 [[M3]], i64 4, i64 0
; CHECK:         [[P3:%.*]] = getelementptr i8, ptr %p, i64 12
; CHECK-NEXT:    call void @__atsan_read_range(ptr [[P3]], i64 [[S3]])
; CHECK-NEXT:    br
  %v = call <4 x float> @llvm.x86.avx.maskload.ps(ptr %p, <4 x i32> %m)
  ret <4 x float> %v
}

define void @x86_masked_store(ptr %p, <2 x i64> %v) {
; CHECK-LABEL: define void @x86_masked_store(
; CHECK:         [[P:%.*]] = getelementptr i8, ptr %p, i64 8
; CHECK-NEXT:    call void @__atsan_write_range(ptr [[P]], i64 8)
; CHECK-NEXT:    br
  call void @llvm.x86.avx2.maskstore.q(ptr %p, <2 x i64> <i64 1, i64 -1>, <2 x i64> %v)
  ret void
}

define void @x86_masked_bytes(ptr %p, <16 x i8> %m, <16 x i8> %v) {
; CHECK-LABEL: define void @x86_masked_bytes(
; CHECK:         [[M:%.*]] = icmp slt <16 x i8> %m, zeroinitializer
; CHECK:         [[M5:%.*]] = extractelement <16 x i1> [[M]], i64 5
; CHECK-NEXT:    [[S5:%.*]] = select i1 [[M5]], i64 1, i64 0
; CHECK:         [[P5:%.*]] = getelementptr i8, ptr %p, i64 5
; CHECK-NEXT:    call void @__atsan_write_range(ptr [[P5]], i64 [[S5]])
  call void @llvm.x86.sse2.maskmov.dqu(<16 x i8> %v, <16 x i8> %m, ptr %p)
  ret void
}

; Two indices, so two lanes of four are accessed.
define <4 x float> @x86_gather(ptr %p, <2 x i64> %i, <4 x float> %m) {
; CHECK-LABEL: define <4 x float> @x86_gather(
; CHECK:         [[B:%.*]] = bitcast <4 x float> %m to <4 x i32>
; CHECK-NEXT:    [[M:%.*]] = icmp slt <4 x i32> [[B]], zeroinitializer
; CHECK:         [[M1:%.*]] = extractelement <4 x i1> [[M]], i64 1
; CHECK-NEXT:    [[S1:%.*]] = select i1 [[M1]], i64 4, i64 0
; CHECK-NEXT:    [[I1:%.*]] = extractelement <2 x i64> %i, i64 1
; CHECK-NEXT:    [[O1:%.*]] = mul i64 4, [[I1]]
; CHECK-NEXT:    [[P1:%.*]] = getelementptr i8, ptr %p, i64 [[O1]]
; CHECK-NEXT:    call void @__atsan_read_range(ptr [[P1]], i64 [[S1]])
; CHECK-NEXT:    br
  %v = call <4 x float> @llvm.x86.avx2.gather.q.ps(<4 x float> zeroinitializer, ptr %p, <2 x i64> %i, <4 x float> %m, i8 4)
  ret <4 x float> %v
}

define void @x86_scatter(ptr %p, <8 x i1> %m, <8 x i32> %i, <8 x i64> %v) {
; CHECK-LABEL: define void @x86_scatter(
; CHECK:         [[M7:%.*]] = extractelement <8 x i1> %m, i64 7
; CHECK-NEXT:    [[S7:%.*]] = select i1 [[M7]], i64 8, i64 0
; CHECK-NEXT:    [[I7:%.*]] = extractelement <8 x i32> %i, i64 7
; CHECK-NEXT:    [[E7:%.*]] = sext i32 [[I7]] to i64
; CHECK-NEXT:    [[O7:%.*]] = mul i64 8, [[E7]]
; CHECK-NEXT:    [[P7:%.*]] = getelementptr i8, ptr %p, i64 [[O7]]
; CHECK-NEXT:    call void @__atsan_write_range(ptr [[P7]], i64 [[S7]])
; CHECK-NEXT:    br
  call void @llvm.x86.avx512.mask.scatter.dpq.512(ptr %p, <8 x i1> %m, <8 x i32> %i, <8 x i64> %v, i32 8)
  ret void
}

define <4 x i32> @plain(ptr %p) {
; CHECK-LABEL: define <4 x i32> @plain(
; CHECK:         call void @__atsan_read_range(ptr %p, i64 16)
  %v = load <4 x i32>, ptr %p
  ret <4 x i32> %v
}

define <2 x i32> @masked_load(ptr %p, <2 x i1> %m) {
; CHECK-LABEL: define <2 x i32> @masked_load(
; CHECK:         [[M0:%.*]] = extractelement <2 x i1> %m, i64 0
; CHECK-NEXT:    [[S0:%.*]] = select i1 [[M0]], i64 4, i64 0
; CHECK:         [[P0:%.*]] = getelementptr i8, ptr %p, i64 0
; CHECK-NEXT:    call void @__atsan_read_range(ptr [[P0]], i64 [[S0]])
; CHECK-NEXT:    [[M1:%.*]] = extractelement <2 x i1> %m, i64 1
; CHECK-NEXT:    [[S1:%.*]] = select i1 [[M1]], i64 4, i64 0
; CHECK:         [[P1:%.*]] = getelementptr i8, ptr %p, i64 4
; CHECK-NEXT:    call void @__atsan_read_range(ptr [[P1]], i64 [[S1]])
  %v = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr %p, i32 4, <2 x i1> %m, <2 x i32> poison)
  ret <2 x i32> %v
}

define void @constant_mask(ptr %p, <4 x i32> %v) {
; CHECK-LABEL: define void @constant_mask(
; CHECK:         [[P1:%.*]] = getelementptr i8, ptr %p, i64 4
; CHECK-NEXT:    call void @__atsan_write_range(ptr [[P1]], i64 4)
; CHECK-NEXT:    [[P3:%.*]] = getelementptr i8, ptr %p, i64 12
; CHECK-NEXT:    call void @__atsan_write_range(ptr [[P3]], i64 4)
; CHECK-NEXT:    br
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, i32 4, <4 x i1> <i1 0, i1 1, i1 0, i1 1>)
  ret void
}

define <2 x i16> @gather(<2 x ptr> %p, <2 x i1> %m) {
; CHECK-LABEL: define <2 x i16> @gather(
; CHECK:         [[S0:%.*]] = select i1 {{.*}}, i64 2, i64 0
; CHECK-NEXT:    [[P0:%.*]] = extractelement <2 x ptr> %p, i64 0
; CHECK-NEXT:    call void @__atsan_read_range(ptr [[P0]], i64 [[S0]])
; CHECK:         [[P1:%.*]] = extractelement <2 x ptr> %p, i64 1
; CHECK-NEXT:    call void @__atsan_read_range(ptr [[P1]],
  %v = call <2 x i16> @llvm.masked.gather.v2i16.v2p0(<2 x ptr> %p, i32 2, <2 x i1> %m, <2 x i16> poison)
  ret <2 x i16> %v
}

define void @scatter(<2 x ptr> %p, <2 x i64> %v, <2 x i1> %m) {
; CHECK-LABEL: define void @scatter(
; CHECK:         [[S0:%.*]] = select i1 {{.*}}, i64 8, i64 0
; CHECK-NEXT:    [[P0:%.*]] = extractelement <2 x ptr> %p, i64 0
; CHECK-NEXT:    call void @__atsan_write_range(ptr [[P0]], i64 [[S0]])
  call void @llvm.masked.scatter.v2i64.v2p0(<2 x i64> %v, <2 x ptr> %p, i32 8, <2 x i1> %m)
  ret void
}

; Active lanes lie next to each other in memory.
define <4 x i8> @expand(ptr %p, <4 x i1> %m) {
; CHECK-LABEL: define <4 x i8> @expand(
; CHECK:         [[W:%.*]] = zext <4 x i1> %m to <4 x i64>
; CHECK-NEXT:    [[N:%.*]] = call i64 @llvm.vector.reduce.add.v4i64(<4 x i64> [[W]])
; CHECK-NEXT:    [[S:%.*]] = mul i64 [[N]], 1
; CHECK-NEXT:    call void @__atsan_read_range(ptr %p, i64 [[S]])
  %v = call <4 x i8> @llvm.masked.expandload.v4i8(ptr %p, <4 x i1> %m, <4 x i8> poison)
  ret <4 x i8> %v
}

define void @compress(ptr %p, <4 x i32> %v, <4 x i1> %m) {
; CHECK-LABEL: define void @compress(
; CHECK:         [[S:%.*]] = mul i64 {{.*}}, 4
; CHECK-NEXT:    call void @__atsan_write_range(ptr %p, i64 [[S]])
  call void @llvm.masked.compressstore.v4i32(<4 x i32> %v, ptr %p, <4 x i1> %m)
  ret void
}

; Lanes from the vector length on are not active.
define <2 x i32> @vp_load(ptr %p, <2 x i1> %m, i32 %n) {
; CHECK-LABEL: define <2 x i32> @vp_load(
; CHECK:         icmp ult <2 x i32> <i32 0, i32 1>,
; CHECK-NEXT:    [[ACTIVE:%.*]] = and <2 x i1> %m,
; CHECK:         extractelement <2 x i1> [[ACTIVE]], i64 0
; CHECK:         call void @__atsan_read_range(
; CHECK:         call void @__atsan_read_range(
  %v = call <2 x i32> @llvm.vp.load.v2i32.p0(ptr %p, <2 x i1> %m, i32 %n)
  ret <2 x i32> %v
}

define void @vp_scatter(<2 x ptr> %p, <2 x i32> %v, <2 x i1> %m, i32 %n) {
; CHECK-LABEL: define void @vp_scatter(
; CHECK:         icmp ult
; CHECK:         call void @__atsan_write_range(
  call void @llvm.vp.scatter.v2i32.v2p0(<2 x i32> %v, <2 x ptr> %p, <2 x i1> %m, i32 %n)
  ret void
}

define void @vp_strided(ptr %p, i64 %stride, <2 x i32> %v, <2 x i1> %m, i32 %n) {
; CHECK-LABEL: define void @vp_strided(
; CHECK:         [[O:%.*]] = mul i64 %stride, 1
; CHECK-NEXT:    [[P:%.*]] = getelementptr i8, ptr %p, i64 [[O]]
; CHECK-NEXT:    call void @__atsan_write_range(ptr [[P]],
  call void @llvm.experimental.vp.strided.store.v2i32.p0.i64(<2 x i32> %v, ptr %p, i64 %stride, <2 x i1> %m, i32 %n)
  ret void
}

; Lanes smaller than a byte share one; nobody makes such code.
define <8 x i1> @bits(ptr %p, <8 x i1> %m) {
; CHECK-LABEL: define <8 x i1> @bits(
; CHECK-NOT:     @__atsan
; CHECK:         ret
  %v = call <8 x i1> @llvm.masked.load.v8i1.p0(ptr %p, i32 1, <8 x i1> %m, <8 x i1> zeroinitializer)
  ret <8 x i1> %v
}

define <4 x i32> @private(<4 x i1> %m) {
; CHECK-LABEL: define <4 x i32> @private(
; CHECK-NOT:     @__atsan
; CHECK:         ret
  %a = alloca <4 x i32>
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %a, i32 4, <4 x i1> %m, <4 x i32> poison)
  ret <4 x i32> %v
}

; Masked accesses order nothing.
define void @same_segment(ptr %p, ptr %q, <2 x i32> %v, <2 x i1> %m) {
; CHECK-LABEL: define void @same_segment(
; CHECK:         load volatile i32, ptr @__atsan_gate
; CHECK-NOT:     load atomic
; CHECK:         call void @__atsan_write4(ptr %q)
; CHECK-NOT:     load atomic
; CHECK:         ret
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %v, ptr %p, i32 4, <2 x i1> %m)
  store i32 1, ptr %q
  ret void
}
