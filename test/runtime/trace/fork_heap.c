// RUN: %clang_atsan -O1 %s -o %t -lpthread
// Intent: in the trace of a forked child, blocks that the parent allocated are
// born where it did that, those it freed are not there; and they have escaped:
// what two threads of the child do to one is not dropped.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir
// RUN: env ATSAN_OPTIONS=trace=t %t
// RUN: %atsan trace print t.* | FileCheck %s
// RUN: %atsan check --algorithm=reduction --fail-on=potential t.* > found; test $? = 66
// RUN: FileCheck %s --check-prefix=FOUND < found
// CHECK-NOT: size=4321
// CHECK: T0 birth [[BLOCK:0x[0-9a-f]+]] {{.*}}1234{{.*}}fork_heap.c:[[#ALLOC:]]
// CHECK-NOT: size=4321
// CHECK: T0 pointer {{.*}}[[BLOCK]]
// CHECK: T0 region-begin 'held'
// CHECK: write [[BLOCK]]
// CHECK: death [[BLOCK]]
// FOUND: Region 'child'
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sanitizer/atsan_interface.h>

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int *block;

static void *work(void *unused) {
  __atsan_region_begin("child");
  block[0]++;
  __atsan_region_end();
  return unused;
}

int main(void) {
  block = malloc(1234);
  free(malloc(4321));
  __atsan_region_begin("held");
  pid_t child = fork();
  __atsan_region_end();
  if (child == 0) {
    block[0] = 0;
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    free(block);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  return status;
}
