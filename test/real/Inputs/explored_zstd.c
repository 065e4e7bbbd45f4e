/*===- explored_zstd.c ----------------------------------------------------===*
 *
 * Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * Two threads offer jobs to zstd's thread pool, whose queue may be full.
 *
 *===------------------------------------------------------------------------===*/

#include "pool.h"

#include <pthread.h>

static POOL_ctx *Pool;

static void job(void *Argument) { (void)Argument; }

static void *offer(void *Argument) {
  POOL_tryAdd(Pool, job, Argument);
  return Argument;
}

int main(void) {
  pthread_t A, B;
  Pool = POOL_create(1, 1);
  pthread_create(&A, 0, offer, 0);
  pthread_create(&B, 0, offer, 0);
  pthread_join(A, 0);
  pthread_join(B, 0);
  POOL_free(Pool);
  return 0;
}
