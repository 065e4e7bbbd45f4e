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
// CHECK: call void @__atsan_read_range16(ptr %0)
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
// CHECK: call void @__atsan_read_range16(ptr %0)
// CHECK: call void @__atsan_read_range16(ptr {{.*}})
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
// CHECK: call void @__atsan_read_range16(ptr {{.*}})
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
// CHECK-COUNT-3: call void @__atsan_read_range16(ptr {{.*}})
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
// CHECK: call void @__atsan_write_range16(ptr %0)
// CHECK-NOT: @__atsan_write
// CHECK: ret
void stored(struct pair *p, long a, long b) {
  struct pair made = {a, b};
  *p = made;
}

// Smaller copies of memory are parts, too: SROA gives a member that is used a
// value of its own, and leaves the rest in memory. The larger one would be a
// call that tells by itself, were it not a part.
struct nine {
  long a, b, c, d, e, f, g, h, i;
};
// CHECK-LABEL: define {{.*}} @used(
// CHECK: call void @__atsan_read_range(ptr %1, i64 72)
// CHECK-NEXT: call void @__atsan_write_range(ptr %0, i64 72)
// CHECK-NOT: @__atsan_{{read|write}}
// CHECK: ret
long used(struct nine *to, const struct nine *from) {
  struct nine copy = *from;
  long d = copy.d;
  *to = copy;
  return d;
}
// CHECK-LABEL: define {{.*}} @made(
// CHECK: call void @__atsan_write_range(ptr %0, i64 72)
// CHECK-NOT: @__atsan_{{read|write}}
// CHECK: ret
void made(struct nine *to, long d) {
  struct nine copy = {0};
  copy.d = d;
  *to = copy;
}
struct large {
  long a[40], b, c[40];
};
// CHECK-LABEL: define {{.*}} @large(
// CHECK-NOT: @__atsan_memcpy
// CHECK: call void @__atsan_read_range(ptr %1, i64 648)
// CHECK-NEXT: call void @__atsan_write_range(ptr %0, i64 648)
// CHECK-NOT: @__atsan_{{read|write|memcpy}}
// CHECK: ret
long large(struct large *to, const struct large *from) {
  struct large copy = *from;
  long b = copy.b;
  *to = copy;
  return b;
}
