// RUN: for level in -O0 -O1 -O2; do \
// RUN:   for part in 1 2 3; do %clang_atsan $level -DPART=$part -c %s -o %t.$part.o || exit 1; done; \
// RUN:   %clang_atsan %t.1.o %t.2.o %t.3.o -o %t && %t || exit 1; done
// RUN: for part in 5 6; do %clang_atsan -O1 -flto -fuse-ld=lld -DPART=$part -c %s -o %t.$part.o || exit 1; done
// RUN: %clang_atsan -O1 -flto -fuse-ld=lld %t.5.o %t.6.o -o %t && %t
// RUN: %clang_atsan -O1 -DPART=4 %s -o %t && %t
// Intent: an opted-out function of which each unit has a copy to inline (GNU
// inline) has one address, but each copy its own labels; and one that nobody
// calls in the end is gone, with what it calls.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define OPTED_OUT __attribute__((annotate("atsan_no_sanitize")))

typedef long (*function)(long *);

#if PART == 3
long inlined(long *p) { return *p + 1; }
#else
OPTED_OUT extern inline __attribute__((gnu_inline, always_inline)) long
inlined(long *p) {
  __asm__ volatile("#" ::: "memory");
  return *p + 1;
}
#endif

long call(long *p);
function address(void);

#if PART == 1
int main(void) {
  long x = 3;
  return inlined(&x) + call(&x) == 8 && inlined == address() ? 0 : 1;
}
#elif PART == 2
long call(long *p) { return inlined(p); }
function address(void) { return inlined; }
#elif PART == 5
OPTED_OUT extern inline __attribute__((gnu_inline, always_inline)) int
run(const int *code) {
  static void *const steps[] = {&&add, &&twice, &&end};
  int n = 0;
  goto *steps[*code];
add:
  n += 3;
  goto *steps[*++code];
twice:
  n *= 2;
  goto *steps[*++code];
end:
  return n;
}
int main(int argc, char **argv) {
  int code[] = {0, 1, argc - 1, argc, 2};
  return run(code) == 18 ? 0 : 1;
}
#elif PART == 6
int run(const int *code) { return *code; }
#elif PART == 4
void nowhere(void);
OPTED_OUT static void check(int n) {
  if (n > 4)
    nowhere();
}
static inline int is_big(int n) { return n > 100; }
int main(void) {
  for (int i = 0; i < 3; i++)
    if (is_big(i))
      check(i);
  return 0;
}
#endif
