// RUN: %clang_atsan -O2 -fno-vectorize -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_atsan -O2 -fno-vectorize -DONCE -S -emit-llvm %s -o - | FileCheck %s
// Intent: where the source reads the same bytes twice, the one load that is
// left is still the first read of the source. It is told where it stands, as if
// the source had read once (-DONCE), also if its value may never matter.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static long square(const int *p) {
#ifdef ONCE
  long x = *p;
  return x * x;
#else
  return (long)*p * *p;
#endif
}

// CHECK-LABEL: define {{.*}} @last(
// CHECK-NOT: phi i1
// CHECK: @__atsan_read_strided(
// CHECK-NOT: phi i1
// CHECK: ret
long last(const int *p, unsigned n, int is_wanted) {
  long sum = 0;
  for (unsigned i = 0; i < n; ++i)
    sum += square(p + i);
  return is_wanted ? sum : 0;
}

// Both ways read: the load moves in front of the branch, and stays the
// source's.
// CHECK-LABEL: define {{.*}} @both(
// CHECK: load i32
// CHECK-NOT: select
// CHECK: call void @__atsan_read4(
// CHECK: ret
int both(const int *p, int c, int *out) {
  if (c) {
    *out = 1;
    return *p ? 3 : 0;
  }
  *out = 2;
  return *p ? 5 : 0;
}

// One way reads; the other one has a load in front of its loop, since the loop
// always writes what it may never have read before. They become one load, which
// is no read of the source on that way.
// CHECK-LABEL: define {{.*}} @either(
// CHECK: load i32
// CHECK-NOT: call void @__atsan_read4(ptr %1)
// CHECK: br i1
// CHECK: ret
int either(int c, int *p, const float *v, int n) {
  if (c > 5)
    return *p;
  int i = 0, k = 0;
  do {
    if (v[i] > 100)
      k += *p;
    *p = i;
  } while (++i < n);
  return k;
}
