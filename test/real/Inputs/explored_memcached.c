/*===- explored_memcached.c -----------------------------------------------===*
 *
 * Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * Two threads take objects out of memcached's object cache, and give them back.
 *
 *===------------------------------------------------------------------------===*/

#include "cache.h"

#include <pthread.h>

static cache_t *Cache;

static void *takeAndGiveBack(void *Argument) {
  cache_free(Cache, cache_alloc(Cache));
  return Argument;
}

int main(void) {
  pthread_t A, B;
  Cache = cache_create("explored", 64, sizeof(char *));
  cache_free(Cache, cache_alloc(Cache)); /* There is a free one. */
  pthread_create(&A, 0, takeAndGiveBack, 0);
  pthread_create(&B, 0, takeAndGiveBack, 0);
  pthread_join(A, 0);
  pthread_join(B, 0);
  cache_destroy(Cache);
  return 0;
}
