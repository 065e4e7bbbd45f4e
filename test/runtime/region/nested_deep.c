// RUN: %clang_atsan -O1 -I%inputs %s -o %t
// Intent: regions nest to any depth, and the outermost end is the one that
// counts.
// RUN: %exits 66 %t inside 2>&1 | FileCheck %s
// RUN: %silent %t
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"

#include <pthread.h>

enum { kDepth = 100000 };
static int x;
static int inside;

static void *reader(void *arg) {
  int i;
  (void)arg;
  for (i = 0; i < kDepth; i++) __atomic_begin();
  STEP(1) USE(x);
  for (i = 0; i < kDepth - inside; i++) __atomic_end();
  STEP(3) USE(x); // CHECK: SUMMARY: {{.*}}nested_deep.c:[[#@LINE]]:
  for (i = 0; i < inside; i++) __atomic_end();
  return NULL;
}

static void *writer(void *arg) {
  (void)arg;
  STEP(2) x = 1;
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t r, w;
  (void)argv;
  inside = argc > 1;
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, writer, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
  return 0;
}
