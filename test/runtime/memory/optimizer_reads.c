// RUN: for level in O0 O1 O2 O3; do \
// RUN:   %clang_atsan -$level -I%inputs %s -lpthread -o %t || exit 1; \
// RUN:   for i in counter field select pointer local call text argument masked \
// RUN:       reversed intrinsic; do \
// RUN:     %silent %t $i || exit 1; \
// RUN:     %exits 66 %t $i twin 2>&1 | FileCheck %s || exit 1; done; \
// RUN:   %exits 66 %t compare 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t compare twin || exit 1; done
// RUN: %if avx2 %{ %clang_atsan -O3 -march=x86-64-v3 -I%inputs %s -lpthread -o %t.v3 %}
// RUN: %if avx2 %{ %silent %t.v3 masked && %silent %t.v3 reversed %}
// RUN: %if avx2 %{ %exits 66 %t.v3 masked twin 2>&1 | FileCheck %s %}
// RUN: %if avx2 %{ %exits 66 %t.v3 reversed twin 2>&1 | FileCheck %s %}
// Intent: what the optimizer loads and the source does not read is no read. A
// region runs a function twice, and another thread writes in between, under the
// same lock: what only the optimizer reads, or in the twin what the source
// does. A comparison that code generation expands is a read, of the bytes that
// decide.
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <immintrin.h>
#include <pthread.h>

int values[64], number = 64, matches, plain, other, flag, rounds = 2;
struct {
  int fast, slow;
} costs;
char text[16] = "x", key[32];
char used[64], prices[64], halves[64] = {[32 ... 63] = 1};
int vector[4];
unsigned half = 12;
int result;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// Read only where something matches.
static void counter(void) {
  for (int i = 0; i < number; i++)
    if (values[i] > 100)
      matches++;
}
// One of the fields.
static void field(void) {
  int v = flag ? costs.fast : costs.slow;
  int w = flag ? 1 : costs.slow;
  result = v * 3 + w;
}
// One of the two variables.
static void select_one(void) { result = *(flag ? &plain : &other); }
static void pointer(void) {
  int *p = flag ? &plain : &other;
  int v = *p;
  result = v + *(flag ? &plain : &other);
}
// The local variable.
static void local(void) {
  int l = 5;
  int *p = flag ? &plain : &l;
  result = *p;
}
static __attribute__((noinline)) void step(void) {
  pthread_mutex_unlock(&mutex);
  step_end(1);
  step_begin(3);
  pthread_mutex_lock(&mutex);
}
// Not behind the step, where the other thread writes; in the twin once more.
static void call(void) {
  int sum = 0;
  for (int i = 0;; i++) {
    sum += plain;
    if (__builtin_expect(i == 2, 0))
      step();
    if (i >= rounds)
      break;
  }
  result = sum;
}
// Only the first character, or all that are equal.
static void compare_text(void) { result = strcmp(text, "abcdefg") == 0; }
static __attribute__((noinline)) int behind(const int *p, int c) {
  return c ? *p : 0;
}
// Nothing, if the flag is not set.
static void argument(void) { result = behind(&plain, flag); }
// What is used.
static void masked(void) {
  int sum = 0;
  for (int i = 0; i < 64; i++)
    if (used[i])
      sum += prices[i];
  result = sum;
}
// What is used: the second half, from its end.
static void reversed(void) {
  int sum = 0;
  for (int i = 63; i >= 0; i--)
    if (halves[i])
      sum += prices[i];
  result = sum;
}
// The second half, by a mask; all of the memory exists.
__attribute__((target("avx512f,avx512vl"))) static int masked_sum(unsigned m) {
  __m128i v = _mm_maskz_loadu_epi32(m, vector);
  return _mm_cvtsi128_si32(_mm_add_epi32(v, _mm_srli_si128(v, 8)));
}
static void intrinsic(void) {
  if (__builtin_cpu_supports("avx512vl"))
    result = masked_sum(half);
  else
    result = vector[2] + vector[3];
}
// All bytes, as they are equal.
static void compare(void) { result = memcmp(key, key + 16, 16) == 0; }

static void (*function)(void);
static char *written;

static void *region(void *unused) {
  (void)unused;
  __atsan_region_begin("reads");
  for (int i = 1; i <= 3; i += 2) {
    step_begin(i);
    pthread_mutex_lock(&mutex);
    function();
    pthread_mutex_unlock(&mutex);
    if (function == call)
      i = 3; // It has been over the other thread's step.
    step_end(i);
  }
  __atsan_region_end();
  return NULL;
}

static void *writer(void *unused) {
  (void)unused;
  STEP(2) {
    pthread_mutex_lock(&mutex);
    *written += 1;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

static const struct {
  const char *name;
  void (*function)(void);
  void *added, *read;
} kCases[] = {
    {"counter", counter, &matches, &values[7]},
    {"field", field, &costs.fast, &costs.slow},
    {"select", select_one, &plain, &other},
    {"pointer", pointer, &plain, &other},
    {"local", local, &plain, &flag},
    {"call", call, &plain, &plain},
    {"text", compare_text, &text[3], &text[0]},
    {"argument", argument, &plain, &flag},
    {"masked", masked, &prices[7], &used[7]},
    {"reversed", reversed, &prices[7], &prices[56]},
    {"intrinsic", intrinsic, &vector[1], &vector[2]},
    // Here the first is read and the second is not.
    {"compare", compare, &key[12], &values[0]},
};

int main(int argc, char **argv) {
  pthread_t threads[2];
  for (unsigned i = 0; i != sizeof(kCases) / sizeof(kCases[0]); i++)
    if (argc > 1 && !strcmp(argv[1], kCases[i].name)) {
      function = kCases[i].function;
      written = argc > 2 ? kCases[i].read : kCases[i].added;
      rounds += argc > 2;
    }
  pthread_create(&threads[0], NULL, region, NULL);
  pthread_create(&threads[1], NULL, writer, NULL);
  for (int i = 0; i != 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
