// RUN: %clang_atsan -O2 -S -emit-llvm %s -o - | FileCheck %s
// Intent: of a vectorized sum that is only compared, and whose outcome a loop
// around it carries on, the reads surely matter: they are told as loops, with
// no condition. Where the sum is not used on some way, they are told where it
// is.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static long distance(const int *a, const int *b, unsigned n) {
  long sum = 0;
  for (unsigned i = 0; i < n; ++i)
    sum += (long)(a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// CHECK-LABEL: define {{.*}} @nearest(
// CHECK-NOT: phi <{{.*}} x i1>
// CHECK: @__atsan_read_strided(
// CHECK-NOT: phi <{{.*}} x i1>
int nearest(const int *point, const int *const *means, unsigned k, unsigned n) {
  long least = __LONG_MAX__;
  unsigned best = 0;
  for (unsigned i = 0; i < k; ++i) {
    long d = distance(point, means[i], n);
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best;
}

// CHECK-LABEL: define {{.*}} @last(
// CHECK: phi <{{.*}} x i1>
// CHECK: @__atsan_read_range(
long last(const int *point, const int *const *means, unsigned k, unsigned n,
          int is_wanted) {
  long d = 0;
  for (unsigned i = 0; i < k; ++i)
    d = distance(point, means[i], n);
  return is_wanted ? d : 0;
}
