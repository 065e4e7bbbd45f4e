// RUN: %clang_atsan -O1 -fno-builtin -I%inputs %s -o %t -lpthread
// Intent: at the limits of memory, descriptors and threads the program gets the
// errors that it would get without the sanitizer, in regions too.
// RUN: %silent %t memory
// RUN: %silent %t descriptors
// RUN: %silent %t threads
// RUN: %silent %t processes
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include "atsan_test.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

static void *nothing(void *arg) { return arg; }

static void memory(void) {
  void *volatile block;
  errno = 0;
  block = malloc(1ul << 62);
  CHECK(!block && errno == ENOMEM);
  block = calloc(1ul << 40, 1ul << 40);
  CHECK(!block && errno == ENOMEM);
  block = malloc(100);
  CHECK(block);
  CHECK(!realloc(block, 1ul << 62) && errno == ENOMEM);
  memset(block, 1, 100);
  free(block);
  CHECK(posix_memalign((void **)&block, 64, 1ul << 62) == ENOMEM);
  CHECK(mmap(NULL, 1ul << 62, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
        MAP_FAILED);
  CHECK(errno == ENOMEM);
}

static void descriptors(void) {
  struct rlimit limit = {3, 3};
  int pair[2];
  CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  errno = 0;
  CHECK(pipe(pair) == -1 && errno == EMFILE);
  CHECK(!fopen("/dev/null", "r") && errno == EMFILE);
}

// Refused because of its stack, which works for every user.
static void threads(void) {
  pthread_attr_t attr;
  pthread_t thread;
  int i;
  pthread_attr_init(&attr);
  CHECK(pthread_attr_setstacksize(&attr, 1ul << 46) == 0);
  for (i = 0; i < 100; i++)
    CHECK(pthread_create(&thread, &attr, nothing, NULL) != 0);
  CHECK(pthread_create(&thread, NULL, nothing, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
}

// Pages that are the process's now.
static long resident(void) {
  long pages = -1;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file && fscanf(file, "%*s %ld", &pages) == 1);
  fclose(file);
  return pages;
}

// root is above this limit, and stays so where it cannot become another user.
static void processes(void) {
  struct rlimit limit = {0, RLIM_INFINITY};
  pthread_t thread;
  long before = 0;
  int i;
  if (!getuid() && setuid(65534))
    return;
  CHECK(getrlimit(RLIMIT_NPROC, &limit) == 0);
  limit.rlim_cur = 0;
  CHECK(setrlimit(RLIMIT_NPROC, &limit) == 0);
  for (i = 0; i < 3000; i++) {
    CHECK(pthread_create(&thread, NULL, nothing, NULL) == EAGAIN);
    if (i == 1000)
      before = resident();
  }
  CHECK(resident() < before + 200);
  limit.rlim_cur = limit.rlim_max;
  CHECK(setrlimit(RLIMIT_NPROC, &limit) == 0);
  CHECK(pthread_create(&thread, NULL, nothing, NULL) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
}

int main(int argc, char **argv) {
  (void)argc;
  __atsan_region_begin("at the limit");
  if (!strcmp(argv[1], "memory"))
    memory();
  else if (!strcmp(argv[1], "descriptors"))
    descriptors();
  else if (!strcmp(argv[1], "processes"))
    processes();
  else
    threads();
  __atsan_region_end();
  return 0;
}
