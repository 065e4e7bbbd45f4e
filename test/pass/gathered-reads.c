// RUN: %clang_atsan -O2 -march=skylake-avx512 -S -emit-llvm %s -o - | FileCheck %s
// Intent: the loop vectorizer gathers what the source reads under a condition.
// Of lanes of which the value is used at once, and those alone, the reads are
// told: the second and the fourth of four rounds.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

float numbers[64];

// CHECK-LABEL: define {{.*}} @every_other(
// CHECK: call <4 x float> @llvm.masked.gather
// CHECK-NOT: @__atsan_read_range(ptr @numbers,
// CHECK: call void @__atsan_read_range(ptr {{.*}}@numbers{{.*}}, i64 4)
// CHECK-NEXT: call void @__atsan_read_range(ptr {{.*}}@numbers{{.*}}, i64 4)
// CHECK-NEXT: call void @__atsan_write_range(ptr @numbers, i64 4)
// CHECK: ret
void every_other(void) {
#pragma clang loop vectorize(enable) vectorize_width(4)
  for (int i = 0; i < 60; i += 3) {
    float z = 3, *a = &numbers[i];
    if (i & 1)
      z = *a + i;
    *a = z * z * 1.5f + z / 7;
  }
}
