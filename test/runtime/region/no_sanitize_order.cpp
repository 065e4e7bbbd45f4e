// RUN: for level in -O0 -O1 -O2 -O3; do \
// RUN:   %clangxx_atsan $level -g1 %s -o %t || exit 1; \
// RUN:   for what in read write; do \
// RUN:     %exits 66 %t $what region 2>&1 | FileCheck %s || exit 1; \
// RUN:     %silent %t $what || exit 1; done; done
// RUN: for lto in "" -flto -flto=thin; do \
// RUN:   %clangxx_atsan -O1 -DLOCK $lto -fuse-ld=lld %s -o %t || exit 1; \
// RUN:   %silent %t || exit 1; done
// Intent: opted-out functions that wait for other threads, and are not inlined,
// order the accesses of their callers as they would if they were: none is left
// out or moved over such a call, although all that it touches is what it gets.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <string.h>

#include "sanitizer/atsan_interface.h"

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'region'

static long value, seen;
static int go, gone;
static bool in_region;

ATSAN_NO_SANITIZE static void wait_for(int *flag) {
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) {
  }
}
ATSAN_NO_SANITIZE static void set(int *flag) {
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

#ifdef LOCK

// A function that opts out itself, of which the compiler knows that no other
// one has the counter.
static int lock;
static long count;
ATSAN_NO_SANITIZE static void acquire(int *flag) {
  while (__atomic_exchange_n(flag, 1, __ATOMIC_ACQUIRE)) {
  }
}
ATSAN_NO_SANITIZE static void release(int *flag) {
  __atomic_store_n(flag, 0, __ATOMIC_RELEASE);
}
ATSAN_NO_SANITIZE static void *work(void *) {
  for (int i = 0; i < 1000000; i++) {
    acquire(&lock);
    count++;
    release(&lock);
  }
  return nullptr;
}

int main() {
  pthread_t one, two;
  pthread_create(&one, nullptr, work, nullptr);
  pthread_create(&two, nullptr, work, nullptr);
  pthread_join(one, nullptr);
  pthread_join(two, nullptr);
  return count == 2000000 ? 0 : 1;
}

#else

static void *read_twice(void *) {
  if (in_region)
    __atsan_region_begin("region");
  const long first = value;
  set(&go);
  wait_for(&gone);
  seen = value - first;
  if (in_region)
    __atsan_region_end();
  return nullptr;
}

static void *write_twice(void *) {
  if (in_region)
    __atsan_region_begin("region");
  value = 5;
  set(&go);
  wait_for(&gone);
  value = 6;
  if (in_region)
    __atsan_region_end();
  return nullptr;
}

static void *write(void *) {
  wait_for(&go);
  value = 5;
  set(&gone);
  return nullptr;
}

static void *read(void *) {
  wait_for(&go);
  seen = value;
  set(&gone);
  return nullptr;
}

int main(int argc, char **argv) {
  const bool reads = !strcmp(argv[1], "read");
  in_region = argc > 2;
  pthread_t one, two;
  pthread_create(&one, nullptr, reads ? read_twice : write_twice, nullptr);
  pthread_create(&two, nullptr, reads ? write : read, nullptr);
  pthread_join(one, nullptr);
  pthread_join(two, nullptr);
  return seen == 5 ? 0 : 1;
}

#endif
