// RUN: %clangxx_atsan -O1 -c %s -o %t.o
// RUN: %clangxx_atsan -O1 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx_atsan -O1 -flto=thin -fuse-ld=lld -DMAIN %s -o %t
// RUN: %t
// Intent: opted-out functions whose assembly needs constants are inlined, one
// into the other, too, in whatever order they stand, with or without assembly
// of their own; no copy is left of which no code could be generated, although
// an annotation still names it. Those that must not be called, or ask what is
// constant, are inlined before the optimizer decides that, and so are those
// that are called where a constant is needed. What such a function stores is an
// ordinary store in the end.
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

INLINED int through(int n, int *p) { return inner(n, p) + 1; }
__attribute__((always_inline)) static inline int told(int n, int *p) {
  asm volatile("# %0" ::"i"(n));
  return *p;
}
INLINED int through_told(int n, int *p) { return told(n, p) + 1; }

// CHECK-LABEL: define {{.*}}@used_through(
// CHECK: asm sideeffect "# $0", {{.*}}(i32 11)
// CHECK: asm sideeffect "# $0", {{.*}}(i32 13)
// CHECK: ret
extern "C" int used_through(int *p) {
  return through(11, p) + through_told(13, p);
}

INLINED void *caller() { return __builtin_return_address(0); }
INLINED void *through_caller() { return caller(); }
extern "C" __attribute__((noinline)) bool is_own_caller() {
  return through_caller() == __builtin_return_address(0);
}

extern "C" void bad_size() __attribute__((error("no such size")));
INLINED void put(void *p, int size, int value) {
  switch (size) {
  case 1:
    *(char *)p = value;
    break;
  case 4:
    *(int *)p = value;
    break;
  default:
    bad_size();
  }
}
INLINED void put_constant(int *p, int n) {
  if (!__builtin_constant_p(n))
    bad_size();
  asm volatile("# %0" ::"r"(n));
  put(p, sizeof *p, n);
}
extern "C" void used_put(int *p) { put_constant(p, 3); }

__attribute__((annotate("atsan_no_sanitize"))) static int checked(int n) {
  if (n > 8)
    bad_size();
  return n;
}
extern "C" int used_checked() { return checked(4) + checked(5); }

// Callers that need what opted-out functions make of constants.
INLINED bool is_big(int n) { return n > 100; }
extern "C" int used_is_big(int n) {
  if (is_big(5) || is_big(50))
    bad_size();
  return is_big(n);
}
INLINED int next(int n) { return n + 1; }
// CHECK-LABEL: define {{.*}}@used_next(
// CHECK: asm sideeffect "# $0", {{.*}}(i32 4)
// CHECK: asm sideeffect "# $0", {{.*}}(i32 5)
// CHECK: ret
extern "C" void used_next() {
  asm volatile("# %0" ::"i"(next(3)));
  asm volatile("# %0" ::"i"(next(4)));
}
struct Size {
  int value;
};
INLINED void set(Size *s, int n) { s->value = n; }
extern "C" int used_set() {
  Size a, b;
  set(&a, 4);
  set(&b, 6);
  if (a.value != 4 || b.value != 6)
    bad_size();
  return b.value;
}
__attribute__((annotate("atsan_no_sanitize"))) static inline int twice(int n) {
  return 2 * n;
}
__attribute__((annotate("atsan_no_sanitize"))) static inline int less(int n) {
  return twice(n) - 1;
}
__attribute__((annotate("atsan_no_sanitize"), noinline)) static int
in_opted_out(int n) {
  if (less(5) != 9 || less(6) != 11)
    bad_size();
  return less(n);
}
extern "C" int used_in_opted_out(int n) { return in_opted_out(n); }

// CHECK-LABEL: define {{.*}}@used_store(
// CHECK: store i32
// CHECK-NOT: nontemporal
// CHECK: ret
INLINED void store(int *p, int n) {
  if (__builtin_constant_p(n))
    *p = n;
}
extern "C" void used_store(int *p) { store(p, 3); }

// Functions of several units, which have a COMDAT.
struct Object {
  int value;
  __attribute__((annotate("atsan_no_sanitize"),
                 always_inline)) explicit Object(int n)
      : value(n) {
    asm volatile("#" ::: "memory");
  }
};
template <class T>
__attribute__((annotate("atsan_no_sanitize"), always_inline)) inline T
made(int n) {
  asm volatile("#" ::: "memory");
  return T(n);
}
extern "C" int used_object(int n) { return made<Object>(n).value; }

#ifdef MAIN
int main() {
  int n = 0;
  used_put(&n);
  return is_own_caller() && n == 3 && used_object(7) == 7 ? 0 : 1;
}
#endif
