// RUN: %clang_atsan -O2 -mavx2 -S -emit-llvm %s -o - | FileCheck %s
// Intent: what each round of a loop reads is a read of the source also where a
// vector load stands for several rounds, and is told there even if the value
// may never matter. What only some rounds read is not.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// CHECK-LABEL: define {{.*}} @always(
// CHECK-NOT: x i1>
// CHECK: load <{{[0-9]+}} x i32>
// CHECK-NOT: x i1>
// CHECK: ret
int always(const int *p, unsigned n, int is_wanted) {
  int sum = 0;
  for (unsigned i = 0; i < n; ++i)
    sum += p[i];
  return is_wanted ? sum : 0;
}

static long distance(const int *a, const int *b, unsigned n) {
  long sum = 0;
  for (unsigned i = 0; i < n; ++i)
    sum += (long)(a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// Rounds of the outer loop forget the sums of those before.
// CHECK-LABEL: define {{.*}} @last(
// CHECK: load <{{[0-9]+}} x i32>
// CHECK-NOT: phi <{{.*}} x i1>
// CHECK: @__atsan_read_strided(
// CHECK-NOT: phi <{{.*}} x i1>
long last(const int *point, const int *const *means, unsigned k, unsigned n,
          int is_wanted) {
  long d = 0;
  for (unsigned i = 0; i < k; ++i)
    d = distance(point, means[i], n);
  return is_wanted ? d : 0;
}

// The loop writes *at always, so that the vector needs no mask.
// CHECK-LABEL: define {{.*}} @sometimes(
// CHECK: load <{{[0-9]+}} x i32>
// CHECK: extractelement <{{[0-9]+}} x i1>
// CHECK: call void @__atsan_read_range(ptr %{{[0-9]+}}, i64 %
// CHECK: ret
int sometimes(const int *restrict c, int *restrict p, unsigned n) {
  int sum = 0;
  for (unsigned i = 0; i < n; ++i) {
    int *at = p + i;
    if (c[i] > 7)
      sum += *at;
    *at = i;
  }
  return sum;
}
