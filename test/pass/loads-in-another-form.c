// RUN: %clang_atsan -O2 -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not='@__atsan_read_range(ptr %{{[0-9]+}}, i64 %'
// Intent: what InstCombine and SROA make of a load of the source, or of a copy
// of memory, in its place, is as much a read of the source: it is told where it
// stands, whatever becomes of its bytes.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

typedef long Longs __attribute__((vector_size(16), may_alias));
typedef char Chars __attribute__((vector_size(16)));
struct Pair {
  int First, Second;
};

// The vector intrinsics load one type and compute with others.
// CHECK-LABEL: define {{.*}} @as_other_vector(
// CHECK: load <16 x i8>, ptr %0
// CHECK-NOT: select
// CHECK: call void @__atsan_read_range(ptr %0, i64 16)
// CHECK: ret
int as_other_vector(const void *p, int *out, int c) {
  Chars x = (Chars) * (const Longs *)p;
  *out = x[15];
  return c ? x[c & 15] : x[3];
}

// Which value is chosen behind the call says nothing about what was read.
void other(void);

// CHECK-LABEL: define {{.*}} @as_float(
// CHECK: load float, ptr %0
// CHECK: call void @__atsan_read4(ptr %0)
// CHECK: call void @other()
// CHECK-NOT: @__atsan
// CHECK: ret
float as_float(const int *p, int c) {
  float x;
  __builtin_memcpy(&x, p, 4);
  other();
  return c ? x : 0;
}

// CHECK-LABEL: define {{.*}} @part_of_a_copy(
// CHECK: load i32, ptr %[[SECOND:[0-9]+]]
// CHECK: call void @__atsan_read4(ptr {{.*}}%[[SECOND]])
// CHECK: call void @other()
// CHECK-NOT: @__atsan
// CHECK: ret
int part_of_a_copy(const struct Pair *p, int c) {
  struct Pair x = *p;
  other();
  return c ? x.Second : 0;
}
