// RUN: for level in -O0 -O1 -O2; do \
// RUN:   %clang_atsan $level %s -o %t || exit 1; \
// RUN:   for begun in there here; do for i in 1 2 3 4 5 6; do %silent %t $begun || exit 1; done; done; done
// Intent: a stack that the program has made, and says nothing about, may have a
// first frame that names a caller on a stack that is gone. No walk over frames
// goes there, whether the region began on that stack or on the thread's own.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "sanitizer/atsan_interface.h"

enum { kWords = 64, kRounds = 3, kStack = 1 << 17 };

static ucontext_t other, home;
static volatile long words[kWords];
static bool begun_there;
static int stop;

__attribute__((noinline)) static void touch(int count) {
  for (int i = 0; i < count; i++) words[i * 7 % kWords]++;
}

__attribute__((noinline)) static long sum(int depth) {
  return depth ? words[depth] + sum(depth - 1) * 3 : words[0];
}

static void work(void) {
  for (int round = 0; round < kRounds; round++) {
    if (begun_there)
      __atsan_region_begin("there");
    touch(40);
    words[round]++;
    for (int depth = 0; depth < 30; depth++) words[60] += sum(depth);
    if (begun_there)
      __atsan_region_end();
    swapcontext(&other, &home);
  }
}

// The new stack lies below this thread's, whose memory is given back when the
// thread has ended, since it is so large.
static void *make_other(void *unused) {
  const uintptr_t below = (uintptr_t)__builtin_frame_address(0) - (300ul << 20);
  getcontext(&other);
  other.uc_stack.ss_sp =
      mmap((void *)(below & -4096ul), kStack, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  other.uc_stack.ss_size = kStack;
  other.uc_link = NULL;
  makecontext(&other, work, 0);
  return unused;
}

// Regions of several threads have the gate open.
static void *be_busy(void *unused) {
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
    __atsan_region_begin("busy");
    __atsan_region_end();
  }
  return unused;
}

int main(int argc, char **argv) {
  begun_there = argc > 1 && !strcmp(argv[1], "there");
  pthread_t busy, maker;
  pthread_create(&busy, NULL, be_busy, NULL);
  pthread_attr_t large;
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, 64 << 20);
  pthread_create(&maker, &large, make_other, NULL);
  pthread_join(maker, NULL);

  for (int round = 0; round < kRounds; round++) {
    if (!begun_there)
      __atsan_region_begin("here");
    swapcontext(&home, &other);
    if (!begun_there)
      __atsan_region_end();
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  pthread_join(busy, NULL);
  return 0;
}
