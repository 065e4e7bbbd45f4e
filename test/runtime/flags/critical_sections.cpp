// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: with critical_sections=1 every outermost critical section is a
// region, from the first lock to the last, whatever the kinds of locks and
// their order; two sections in a row are two regions. Without the option they
// are none.
// RUN: for how in guard chain recursive rwlock spin annotated; do env ATSAN_OPTIONS=critical_sections=1 %exits 66 %t $how 2>&1 | FileCheck -DHOW=$how %s || exit 1; done
// RUN: for how in guard chain recursive rwlock spin annotated; do %silent %t $how || exit 1; done
// RUN: for how in row failed foreign wait; do env ATSAN_OPTIONS=critical_sections=1 %silent %t $how || exit 1; done
// RUN: env ATSAN_OPTIONS=critical_sections=1:region_splits=none %exits 66 %t wait 2>&1 | FileCheck -DHOW=wait %s
// CHECK: Region at critical_sections.cpp:{{[0-9]+}} of T1 is not atomic
// CHECK: To suppress it
// CHECK-NEXT: fingerprint:1-
// CHECK: SUMMARY: {{.*}} in section_[[HOW]]()
//
// A region of the source that ends after the section it began in, and the other
// way round: as long as either is open, it goes on. And sections that a list
// excludes.
// RUN: env ATSAN_OPTIONS=critical_sections=1 %exits 66 %t across 2>&1 | FileCheck --check-prefix=ACROSS %s
// ACROSS: Region 'across' of T1 is not atomic
// RUN: %silent %t across
// RUN: echo section_guard > %t.list
// RUN: env ATSAN_OPTIONS="critical_sections=1:exclude_regions='%t.list'" %silent %t guard
// RUN: echo section_across > %t.list
// RUN: env ATSAN_OPTIONS="critical_sections=1:exclude_regions='%t.list'" %silent %t across
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <condition_variable>
#include <mutex>
#include <pthread.h>

int x;

static std::mutex first, second;
static std::recursive_mutex recursive;
static std::condition_variable condition;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static int annotated;

__attribute__((noinline)) static void section_guard() {
  std::lock_guard<std::mutex> lock(first);
  STEP(1) USE(x);
  STEP(3) USE(x);
}

__attribute__((noinline)) static void section_chain() {
  first.lock();
  STEP(1) USE(x);
  second.lock();
  first.unlock();
  STEP(3) USE(x);
  second.unlock();
}

__attribute__((noinline)) static void section_recursive() {
  recursive.lock();
  recursive.lock();
  STEP(1) USE(x);
  recursive.unlock();
  STEP(3) USE(x);
  recursive.unlock();
}

__attribute__((noinline)) static void section_rwlock() {
  pthread_rwlock_rdlock(&rwlock);
  STEP(1) USE(x);
  STEP(3) USE(x);
  pthread_rwlock_unlock(&rwlock);
}

__attribute__((noinline)) static void section_spin() {
  pthread_spin_lock(&spin);
  STEP(1) USE(x);
  STEP(3) USE(x);
  pthread_spin_unlock(&spin);
}

__attribute__((noinline)) static void section_annotated() {
  __atsan_mutex_pre_lock(&annotated, 0);
  __atsan_mutex_post_lock(&annotated, 0, 0);
  STEP(1) USE(x);
  STEP(3) USE(x);
  __atsan_mutex_pre_unlock(&annotated, 0);
  __atsan_mutex_post_unlock(&annotated, 0);
}

static void section_row() {
  first.lock();
  STEP(1) USE(x);
  first.unlock();
  second.lock();
  STEP(3) USE(x);
  second.unlock();
}

static void section_failed() {
  // `second` is held by the main thread.
  if (second.try_lock())
    abort();
  STEP(1) USE(x);
  STEP(3) USE(x);
}

static void section_foreign() {
  second.unlock(); // The main thread's.
  STEP(1) USE(x);
  STEP(3) USE(x);
}

// It is the wait that divides the region, not the mutex given up in it.
__attribute__((noinline)) static void section_wait() {
  std::unique_lock<std::mutex> lock(first);
  STEP(1) USE(x);
  condition.wait_for(lock, std::chrono::microseconds(1));
  STEP(3) USE(x);
}

__attribute__((noinline)) static void section_across() {
  first.lock();
  __atsan_region_begin("across");
  first.unlock();
  __atsan_region_end();
  __atsan_region_begin("across");
  first.lock();
  __atsan_region_end();
  STEP(1) USE(x);
  STEP(3) USE(x);
  first.unlock();
}

int main(int, char **argv) {
  struct {
    const char *name;
    void (*run)();
  } const all[] = {
      {"guard", section_guard},
      {"chain", section_chain},
      {"recursive", section_recursive},
      {"rwlock", section_rwlock},
      {"spin", section_spin},
      {"annotated", section_annotated},
      {"row", section_row},
      {"failed", section_failed},
      {"foreign", section_foreign},
      {"wait", section_wait},
      {"across", section_across},
  };
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  bool held = !strcmp(argv[1], "failed") || !strcmp(argv[1], "foreign");
  if (held)
    second.lock();
  for (const auto &section : all)
    if (!strcmp(section.name, argv[1]))
      in_parallel([=] { section.run(); },
                  [] {
                    STEP(2) x = 1;
                  });
}
