// RUN: %clang_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: asynchronous input and output do inside regions what they do without
// us: data, results, errors, lists. What the system does to the buffers in the
// meantime is not reported, what the program does to them is.
// RUN: %silent %t
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
// CHECK: region 'transfer'
// CHECK: global 'target'
// CHECK: SUMMARY: {{.*}}aio.c:
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include "atsan_test.h"

#include <aio.h>
#include <errno.h>
#include <pthread.h>

enum { kSize = 5000 };

static char source[2][kSize], target[2][kSize];
static struct aiocb requests[2];
static int bad;

static void prepare(int file, int i, char *buffer, int opcode) {
  memset(&requests[i], 0, sizeof(requests[i]));
  requests[i].aio_fildes = file;
  requests[i].aio_buf = buffer;
  requests[i].aio_nbytes = kSize;
  requests[i].aio_offset = i * kSize;
  requests[i].aio_lio_opcode = opcode;
}

static void finish(int i) {
  const struct aiocb *one[] = {&requests[i]};
  while (aio_error(&requests[i]) == EINPROGRESS) aio_suspend(one, 1, NULL);
  CHECK(aio_error(&requests[i]) == 0);
  CHECK(aio_return(&requests[i]) == kSize);
}

static void transfer(int file) {
  struct aiocb *both[] = {&requests[0], &requests[1]};
  int i;
  for (i = 0; i < 2; i++) {
    prepare(file, i, source[i], LIO_WRITE);
    CHECK(aio_write(&requests[i]) == 0);
  }
  for (i = 0; i < 2; i++) finish(i);
  for (i = 0; i < 2; i++) prepare(file, i, target[i], LIO_READ);
  CHECK(lio_listio(LIO_WAIT, both, 2, NULL) == 0);
  for (i = 0; i < 2; i++) finish(i);
  CHECK(!memcmp(source, target, sizeof(source)));
  memset(target, 0, sizeof(target));
  prepare(file, 0, target[0], LIO_READ);
  CHECK(aio_read(&requests[0]) == 0);
  finish(0);
  CHECK(!memcmp(source[0], target[0], kSize));
  prepare(-1, 0, target[0], LIO_READ);
  CHECK(aio_read(&requests[0]) == 0);
  while (aio_error(&requests[0]) == EINPROGRESS) sched_yield();
  CHECK(aio_error(&requests[0]) == EBADF && aio_return(&requests[0]) == -1);
  CHECK(aio_cancel(file, NULL) == AIO_ALLDONE);
}

static void *other(void *arg) {
  (void)arg;
  STEP(2) {
    if (bad)
      target[1][100] = 0;
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t thread;
  int i, file = fileno(tmpfile());
  (void)argv;
  bad = argc > 1;
  for (i = 0; i < 2 * kSize; i++)
    source[i / kSize][i % kSize] = (char)(i % 251);
  pthread_create(&thread, NULL, other, NULL);
  __atsan_region_begin("transfer");
  STEP(1) transfer(file);
  STEP(3) transfer(file);
  __atsan_region_end();
  pthread_join(thread, NULL);
  return 0;
}
