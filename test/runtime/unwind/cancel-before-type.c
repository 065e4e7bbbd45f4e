// RUN: %clang_atsan -O1 %s -o %t -lpthread && timeout 60 %t | FileCheck %s
// Intent: threads that are cancelled already may ask to be cancelled at any
// time; the first one that does ends behind its request, and locks nobody out.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <stdio.h>

static int is_cancelled;

static void *wait_and_change_type(void *unused) {
  int old;
  while (!__atomic_load_n(&is_cancelled, __ATOMIC_ACQUIRE));
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  for (;;) pthread_testcancel();
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, wait_and_change_type, NULL);
  for (int i = 0; i < 2; i++) pthread_cancel(threads[i]);
  __atomic_store_n(&is_cancelled, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < 2; i++) {
    void *result;
    pthread_join(threads[i], &result);
    printf("%d: %s\n", i, result == PTHREAD_CANCELED ? "cancelled" : "ended");
  }
}
// CHECK: 0: cancelled
// CHECK-NEXT: 1: cancelled
