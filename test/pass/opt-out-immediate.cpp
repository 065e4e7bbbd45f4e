// RUN: %clangxx_atsan -O1 -c %s -o %t.o
// RUN: %clangxx_atsan -O1 -S -emit-llvm %s -o - | FileCheck %s
// Intent: opted-out functions whose assembly needs constants are inlined, one
// into the other, too, in whatever order they stand; no copy is left of which
// no code could be generated, although an annotation still names it.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define INLINED                                                                \
  __attribute__((annotate("atsan_no_sanitize"), always_inline)) static inline

INLINED int behind(int *p);

INLINED int inner(int n, int *p) {
  asm volatile("# %0" ::"i"(n));
  return *p;
}
INLINED int outer(int *p) {
  asm volatile("#");
  return inner(5, p) + inner(7, p + 1) + behind(p);
}
INLINED int behind(int *p) {
  asm volatile("#");
  return inner(9, p);
}

// CHECK-LABEL: define {{.*}}@used(
// CHECK-NOT: @__atsan_read
// CHECK: asm sideeffect "# $0", {{.*}}(i32 5)
// CHECK: asm sideeffect "# $0", {{.*}}(i32 7)
// CHECK: asm sideeffect "# $0", {{.*}}(i32 9)
// CHECK-NOT: @__atsan_read
// CHECK: ret
// CHECK-NOT: define {{.*}}inner
extern "C" int used(int *p) { return outer(p); }
