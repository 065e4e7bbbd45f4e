// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: code that is annotated for ThreadSanitizer works as it is, through
// <sanitizer/tsan_interface.h> or through dynamic annotations.
// RUN: %exits 66 %t none 2>&1 | FileCheck %s
// RUN: %silent %t mutex
// RUN: %silent %t ignore
// RUN: %exits 66 %t ignore-reads 2>&1 | FileCheck %s
// RUN: %exits 66 %t rwlock 2>&1 | FileCheck %s
// RUN: env ATSAN_OPTIONS=lock_edges=1 %exits 66 %t mutex 2>&1 | FileCheck %s
// RUN: %silent %t order
// RUN: env ATSAN_OPTIONS=lock_edges=1 %exits 66 %t order 2>&1 | FileCheck %s
// RUN: %silent %t happens
// RUN: env ATSAN_OPTIONS=lock_edges=1 %exits 66 %t happens 2>&1 | FileCheck %s
// RUN: %exits 66 %t external 2>&1 | FileCheck %s
//
// Code that tests for ThreadSanitizer can be told.
// RUN: %clangxx_atsan -D__SANITIZE_THREAD__ -O1 -I%inputs %s -o %t.told
// RUN: %silent %t.told if-told
// RUN: %exits 66 %t if-told 2>&1 | FileCheck %s
//
// A program that has annotations of its own keeps them.
// RUN: %clangxx_atsan -DOWN -O1 -I%inputs %s -o %t.own
// RUN: %exits 17 %t.own own
// CHECK: region 'region'
// CHECK: SUMMARY: {{.*}}tsan_names.cpp
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>
#include <cstdint>
#include <sanitizer/tsan_interface.h>

#ifdef OWN
extern "C" void AnnotateHappensBefore(const char *, int, void *) { _Exit(17); }
#else
extern "C" void AnnotateHappensBefore(const char *, int, void *);
#endif
extern "C" {
void AnnotateHappensAfter(const char *, int, void *);
void AnnotateRWLockAcquired(const char *, int, void *, long);
void AnnotateRWLockReleased(const char *, int, void *, long);
void AnnotateIgnoreReadsBegin(const char *, int);
void AnnotateIgnoreReadsEnd(const char *, int);
void AnnotateIgnoreWritesBegin(const char *, int);
void AnnotateIgnoreWritesEnd(const char *, int);
}

static std::atomic<int> word;
static bool mutex, ignore, ignore_reads, rwlock, order, happens, external;

// One operation on the lock word, between what would announce it.
static void operation() {
  if (mutex)
    __tsan_mutex_pre_lock(&word, 0);
  if (ignore || ignore_reads)
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  if (ignore)
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  if (order || happens || external) {
    if (order)
      __tsan_acquire(&word), __tsan_release(&word);
    if (happens)
      AnnotateHappensAfter(__FILE__, __LINE__, &word),
          AnnotateHappensBefore(__FILE__, __LINE__, &word);
    if (external)
      __tsan_external_write(&word, __builtin_return_address(0), nullptr);
  } else {
    word.exchange(1);
  }
  if (ignore)
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  if (ignore || ignore_reads)
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  if (mutex) {
    __tsan_mutex_post_lock(&word, 0, 0);
    __tsan_mutex_pre_unlock(&word, 0);
    word.store(0);
    __tsan_mutex_post_unlock(&word, 0);
  }
  if (rwlock) {
    AnnotateRWLockAcquired(__FILE__, __LINE__, &word, 1);
    AnnotateRWLockReleased(__FILE__, __LINE__, &word, 1);
  }
}

int main(int argc, char **argv) {
  mutex = called_with(argc, argv, "mutex");
  ignore = called_with(argc, argv, "ignore");
  ignore_reads = called_with(argc, argv, "ignore-reads");
  rwlock = called_with(argc, argv, "rwlock");
  order = called_with(argc, argv, "order");
  happens = called_with(argc, argv, "happens");
  external = called_with(argc, argv, "external");
#ifdef __SANITIZE_THREAD__
  mutex |= called_with(argc, argv, "if-told");
#endif
  if (called_with(argc, argv, "own"))
    AnnotateHappensBefore(__FILE__, __LINE__, &word);
  in_parallel(
      [] {
        atsan::atomic_region region("region");
        STEP(1) operation();
        STEP(3) operation();
      },
      [] {
        STEP(2) operation();
      });
}
