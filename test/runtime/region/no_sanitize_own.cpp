// RUN: for level in -O0 -O1 -O2; do \
// RUN:   %clangxx_atsan $level -g1 -I%inputs %s -o %t || exit 1; \
// RUN:   for own in add pick twice clear either_store count clear_apart \
// RUN:       assign assign_much result by_check clear_checked flattened; do \
// RUN:     %silent %t $own || exit 1; done; \
// RUN:   for counts in by_call write write_forwarded write_few \
// RUN:       read_for read_for_one flatten; do \
// RUN:     %exits 66 %t $counts 2>&1 | FileCheck %s || exit 1; done; done
// RUN: %clangxx_atsan -O2 -g1 -flto=thin -fuse-ld=lld -I%inputs %s -o %t
// RUN: for own in clear clear_checked count assign_much; do \
// RUN:   %silent %t $own || exit 1; done
// RUN: %exits 66 %t by_call 2>&1 | FileCheck %s
// Intent: whatever the optimizer makes of an opted-out function's own accesses,
// none counts: no vector, no memset or memcpy in place of a loop or of an
// assignment, no load or store that became one with another. So it is where the
// function has to be inlined (assembly), or its caller asks for it (flatten).
// The accesses of other functions count, also where they copy what an opted-out
// one returns, at once or through another function, or gets.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'region'

#define INLINED ATSAN_NO_SANITIZE __attribute__((always_inline)) static inline
#define APART ATSAN_NO_SANITIZE __attribute__((noinline)) static

static long table[64];
struct Big {
  long v[12];
};
struct Huge {
  long v[600];
};
static Big big, other_big;
static Huge huge, other_huge;
static volatile int one = 1, number = 64;

INLINED long add(const long *p, int n) {
  __asm__("" ::"r"(n));
  long sum = 0;
  for (int i = 0; i < n; i++) sum += p[i];
  return sum;
}
INLINED long pick(const long *p, int c) {
  __asm__("" ::"r"(c));
  return c ? p[0] : p[1];
}
INLINED long twice(const long *p, int c) {
  __asm__("" ::"r"(c));
  long a = p[0];
  if (c)
    a += p[0];
  return a;
}
INLINED void clear(long *p, int n) {
  __asm__("" ::"r"(p));
  for (int i = 0; i < n; i++) p[i] = 0;
}
INLINED void either_store(long *p, int c) {
  __asm__("" ::"r"(p));
  if (c)
    p[0] = 1;
  else
    p[0] = 2;
}
INLINED void count(long *p, int n) {
  __asm__("" ::"r"(p));
  for (int i = 0; i < n; i++) p[0] += i;
}
// Inlined before the optimizer decides what is never called.
extern "C" void not_that_many() __attribute__((error("not that many")));
INLINED void assign_checked(Huge *to, const Huge *from, int size) {
  if (__builtin_constant_p(size) && size > 600)
    not_that_many();
  *to = *from;
}
INLINED void clear_all(long *p, int size) {
  if (__builtin_constant_p(size) && size > 600)
    not_that_many();
  for (int i = 0; i < 64; i++) p[i] = 0;
}
__attribute__((noinline)) static void clear_checked() { clear_all(table, 5); }
#ifdef __OPTIMIZE__
APART void by_check() { assign_checked(&huge, &other_huge, 5); }
static void by_check_told() { assign_checked(&huge, &other_huge, 5); }
#else
APART void by_check() { huge = other_huge; }
static void by_check_told() { by_check(); }
#endif
ATSAN_NO_SANITIZE static void increment(long *p) { *p += 1; }
static void increment_told(long *p) { *p += 1; }
__attribute__((flatten, noinline)) static void flattened() { increment(table); }
ATSAN_NO_SANITIZE __attribute__((flatten, noinline)) static void flatten() {
  increment_told(table);
}
APART long sum(const Big *__restrict p) {
  long sum = 0;
  for (int i = 0; i < 12; i++) sum += p->v[i];
  return sum;
}
APART void clear_apart(long *p, int n) {
  for (int i = 0; i < n; i++) p[i] = 0;
}
APART void assign() { big = other_big; }
APART void assign_much() { huge = other_huge; }
APART void by_call(long *p, int n) { memset(p, 0, n * sizeof(long)); }
APART Big made_apart(int x) {
  Big b;
  for (int i = 0; i < 12; i++) b.v[i] = x * i;
  return b;
}
__attribute__((noinline)) static Big made(int x) {
  Big b;
  for (int i = 0; i < 12; i++) b.v[i] = x * i;
  return b;
}

// The function's own object is written by `made` only, or by the assignment
// too.
__attribute__((noinline)) static void write_result() {
  Big l = {};
  share(&l);
  STEP(1);
  STEP(3) l = made_apart(one);
  STEP(5);
  USE(l.v[2]);
}
__attribute__((noinline)) static Big forward(int x) { return made_apart(x); }
__attribute__((noinline)) static void write_forwarded() {
  Big l = {};
  share(&l);
  STEP(1);
  STEP(3) l = forward(one);
  STEP(5);
  USE(l.v[2]);
}
ATSAN_NO_SANITIZE __attribute__((noinline)) static void set(long *p, int x) {
  *p = x;
}
__attribute__((noinline)) static void write_few() {
  Big l = {};
  share(&l);
  STEP(1);
  STEP(3) {
    long x;
    set(&x, one);
    l.v[3] = x;
  }
  STEP(5);
  USE(l.v[2]);
}
__attribute__((noinline)) static long sum_of(const Big *__restrict p,
                                             const Big *__restrict q, int c) {
  return sum(c ? p : q);
}
__attribute__((noinline)) static void read_for_one() {
  Big copy = big, other = other_big;
  USE(sum_of(&copy, &other, one));
}
static void read_for() {
  Big copy = big;
  USE(sum(&copy));
}
APART void keep_result() {
  Big l;
  l.v[3] = 5;
  share(&l);
  step_begin(1);
  step_end(1);
  step_begin(3);
  l = made(one);
  step_end(3);
  step_begin(5);
  step_end(5);
  USE(l.v[2]);
}

static void interleave_local(void (*owner)()) {
  in_parallel(owner, [] {
    atsan::atomic_region region("region");
    Big *p = nullptr;
    STEP(2) {
      p = static_cast<Big *>(shared());
      USE(p->v[3]);
    }
    STEP(4) USE(p->v[3]);
  });
}

// Somebody accesses what a region reads or writes twice.
template <class Access>
static void interleave(long *at, bool writes, Access access) {
  in_parallel(
      [=] {
        atsan::atomic_region region("region");
        auto touch = [=](long value) {
          if (writes)
            USE(*at);
          else
            *at = value;
        };
        STEP(1) touch(1);
        STEP(3) touch(2);
      },
      [=] {
        STEP(2) access();
      });
}

int main(int argc, char **argv) {
  auto is = [&](const char *name) { return called_with(argc, argv, name); };
  if (is("add"))
    interleave(table, false, [] { USE(add(table, number)); });
  if (is("pick"))
    interleave(table, false, [] { USE(pick(table, one)); });
  if (is("twice"))
    interleave(table, false, [] { USE(twice(table, one)); });
  if (is("clear"))
    interleave(table, true, [] { clear(table, number); });
  if (is("either_store"))
    interleave(table, true, [] { either_store(table, one); });
  if (is("count"))
    interleave(table, true, [] { count(table, number); });
  if (is("clear_apart"))
    interleave(table, true, [] { clear_apart(table, number); });
  if (is("by_call"))
    interleave(table, true, [] { by_call(table, number); });
  if (is("assign"))
    interleave(&big.v[3], true, [] { assign(); });
  if (is("assign_much"))
    interleave(&huge.v[3], true, [] { assign_much(); });
  if (is("by_check"))
    interleave(&huge.v[3], true, [] {
      by_check();
      by_check_told();
    });
  if (is("clear_checked"))
    interleave(table, true, [] { clear_checked(); });
  if (is("flattened"))
    interleave(table, true, [] { flattened(); });
  if (is("flatten"))
    interleave(table, true, [] { flatten(); });
  if (is("read_for"))
    interleave(&big.v[3], false, [] { read_for(); });
  if (is("read_for_one"))
    interleave(&big.v[3], false, [] { read_for_one(); });
  if (is("write_few"))
    interleave_local(write_few);
  if (is("write_forwarded"))
    interleave_local(write_forwarded);
  if (is("result"))
    interleave_local(keep_result);
  if (is("write"))
    interleave_local(write_result);
}
