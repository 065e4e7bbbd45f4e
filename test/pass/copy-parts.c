// RUN: %clang_atsan -O2 -S -emit-llvm %s -o - | FileCheck %s
// Intent: loads and stores that are parts of one copy of the source are told by
// one hook; those of several copies, or of members, are not.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

struct pair {
  long a, b;
};
void use(long, long);

// CHECK-LABEL: define {{.*}} @one(
// CHECK: call void @__atsan_read_range(ptr %0, i64 16)
// CHECK-NOT: @__atsan_read
// CHECK: ret
void one(const struct pair *p) {
  struct pair copy = *p;
  use(copy.a, copy.b);
}

// CHECK-LABEL: define {{.*}} @members(
// CHECK-NOT: @__atsan_read_range
// CHECK: ret
void members(const struct pair *p) { use(p->a, p->b); }

// CHECK-LABEL: define {{.*}} @neighbours(
// CHECK: call void @__atsan_read_range(ptr %0, i64 16)
// CHECK: call void @__atsan_read_range(ptr {{.*}}, i64 16)
// CHECK-NOT: @__atsan_read
// CHECK: ret
void neighbours(const struct pair *p) {
  struct pair one = p[0], other = p[1];
  use(one.a + other.a, one.b + other.b);
}

// What is not used is not read, so no range may have it.
struct four {
  long a, b, c, d;
};
// CHECK-LABEL: define {{.*}} @some(
// CHECK-NOT: i64 32
// CHECK: call void @__atsan_read_range(ptr {{.*}}, i64 16)
// CHECK-NOT: i64 32
// CHECK: ret
void some(const struct four *p) {
  struct four copy = *p;
  use(copy.b, copy.c);
}
// CHECK-LABEL: define {{.*}} @ends(
// CHECK-NOT: @__atsan_read_range
// CHECK: ret
void ends(const struct four *p) {
  struct four copy = *p;
  use(copy.a, copy.d);
}

// Rounds of a loop are one copy each, unrolled or not.
static struct pair at(const struct pair *p) { return *p; }
// CHECK-LABEL: define {{.*}} @rounds(
// CHECK-COUNT-3: call void @__atsan_read_range(ptr {{.*}}, i64 16)
// CHECK-NOT: @__atsan_read
// CHECK: ret
void rounds(const struct pair *p) {
  long a = 0, b = 1;
  for (int i = 0; i < 3; ++i) {
    struct pair copy = at(p + i);
    a += copy.a;
    b *= copy.b;
  }
  use(a, b);
}

// CHECK-LABEL: define {{.*}} @stored(
// CHECK: call void @__atsan_write_range(ptr %0, i64 16)
// CHECK-NOT: @__atsan_write
// CHECK: ret
void stored(struct pair *p, long a, long b) {
  struct pair made = {a, b};
  *p = made;
}
