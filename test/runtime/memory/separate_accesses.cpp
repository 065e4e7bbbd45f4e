// RUN: %clangxx_atsan -O1 -I %inputs %s -o %t.O1
// RUN: %clangxx_atsan -O2 -I %inputs %s -o %t.O2
// RUN: %clangxx_atsan -Os -I %inputs %s -o %t.Os
// RUN: %clangxx_atsan -O2 -flto=thin -fuse-ld=lld -I %inputs %s -o %t.lto
// RUN: for how in zeroed filled numbered copied added bytes rounds many sum pointers copies floats cleared kept; do for p in %t.O1 %t.O2 %t.Os %t.lto; do %silent $p $how || exit 1; done; done
// RUN: for p in %t.O1 %t.O2 %t.Os %t.lto; do %exits 66 $p whole 2>&1 | FileCheck %s || exit 1; done
// CHECK: Region 'transaction' of the main thread is not atomic
// Intent: accesses to members and elements outside regions are transactions of
// their own, also where the optimizer could make one access of them (a memset,
// a vector, a wider load): that a region stands between the first ones and the
// others is no violation. A copy of all (whole) is one access.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Inputs/atsan_test.h"

#include <pthread.h>
#include <string.h>

struct Four {
  int a, b, c, d;
};

alignas(16) Four four;
alignas(16) Four source;
alignas(16) int numbers[100];
alignas(16) unsigned char bytes[4];
alignas(16) void *pointers[32];
alignas(16) void *kept[32];
alignas(16) float floats[32];
alignas(16) float result[32];
alignas(16) double doubles[64];
volatile int sink;
const char *how;

static bool is(const char *name) { return !strcmp(how, name); }

#define CALL __attribute__((noinline)) static

CALL void zero(Four *p) {
  p->a = 0;
  p->b = 0;
  p->c = 0;
  p->d = 0;
}
CALL void fill(Four *p, int value) {
  p->a = value;
  p->b = value;
  p->c = value;
  p->d = value;
}
CALL void number(Four *p) {
  p->a = 1;
  p->b = 2;
  p->c = 3;
  p->d = 4;
}
CALL void copy(Four *p, const Four *q) {
  p->a = q->a;
  p->b = q->b;
  p->c = q->c;
  p->d = q->d;
}
CALL void add(Four *p) {
  p->a += 1;
  p->b += 1;
  p->c += 1;
  p->d += 1;
}
CALL unsigned combine(const unsigned char *p) {
  return p[0] | p[1] << 8 | p[2] << 16 | static_cast<unsigned>(p[3]) << 24;
}
CALL void clear(int *p) {
  for (int i = 0; i < 4; ++i) p[i] = 0;
}
CALL int sum(const int *p, int n) {
  int all = 0;
  for (int i = 0; i < n; ++i) all += p[i];
  return all;
}
CALL int sum_of_all(const int *p) {
  int all = 0;
  for (int i = 0; i < 100; ++i) all += p[i];
  return all;
}

CALL bool any_of(void *const *p) {
  bool any = false;
  for (int i = 0; i < 32; ++i) any |= p[i] == how;
  return any;
}
CALL void copy_pointers(void **p, void *const *q) {
  for (int i = 0; i < 32; ++i) p[i] = q[i];
}
CALL void copy_floats(float *p, const float *q) {
  for (int i = 0; i < 32; ++i) p[i] = q[i];
}

// Told as a whole behind the loop, of which the link step could make a memset.
CALL void clear_all(int *p, int n) {
  for (int i = 0; i < n; ++i) p[i] = 0;
}

// The optimizer keeps the array in registers while the outer loop goes on.
CALL void add_often(int times) {
  for (int j = 0; j < times; j++)
    for (int i = 0; i < 64; i++) doubles[i] += 1;
}

CALL void access() {
  if (is("zeroed"))
    zero(&four);
  else if (is("filled"))
    fill(&four, sink);
  else if (is("numbered"))
    number(&four);
  else if (is("copied"))
    copy(&four, &source);
  else if (is("added"))
    add(&four);
  else if (is("bytes"))
    sink = combine(bytes);
  else if (is("rounds"))
    clear(numbers);
  else if (is("many"))
    sink = sum(numbers, 100);
  else if (is("sum"))
    sink = sum_of_all(numbers);
  else if (is("pointers"))
    sink = any_of(pointers);
  else if (is("copies"))
    copy_pointers(kept, pointers);
  else if (is("floats"))
    copy_floats(result, floats);
  else if (is("cleared"))
    clear_all(numbers, 100 + sink);
  else if (is("kept"))
    add_often(1 + sink);
  else
    source = four;
}

static void *other(void *) {
  STEP(2) access();
  return nullptr;
}

int main(int, char **argv) {
  how = argv[1];
  pthread_t t;
  volatile double seen;
  pthread_create(&t, nullptr, other, nullptr);
  __atsan_region_begin("transaction");
  STEP(1) {
    four.b = 1;
    numbers[1] = 1;
    bytes[1] = 1;
    pointers[1] = &four;
    floats[1] = 1;
    seen = doubles[1];
  }
  STEP(3) {
    four.a = 2;
    numbers[0] = 2;
    bytes[0] = 2;
    pointers[0] = &four;
    floats[0] = 2;
    seen = doubles[0];
  }
  __atsan_region_end();
  pthread_join(t, nullptr);
}
