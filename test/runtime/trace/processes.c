// RUN: %clang_atsan -O1 %s -o %t -lpthread
// Intent: a forked child, also one that libc does not know of, and a program
// that the traced one becomes by exec each have a trace of their own, and the
// parent's is as if there were none. In a child's trace the regions are open
// that were so at the fork.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir
// RUN: env ATSAN_OPTIONS=trace=fork %t fork
// RUN: %atsan trace print fork | FileCheck %s --check-prefix=PARENT
// RUN: %atsan trace print fork.* | FileCheck %s --check-prefix=CHILD
// RUN: env ATSAN_OPTIONS=trace=raw %t raw
// RUN: %atsan trace print raw | FileCheck %s --check-prefix=PARENT
// RUN: %atsan trace print raw.* | FileCheck %s --check-prefix=RAW
// RUN: env ATSAN_OPTIONS=trace=exec %t exec
// RUN: %atsan trace print exec | FileCheck %s --check-prefix=EXEC
// RUN: %atsan trace print exec.* | FileCheck %s --check-prefix=AFTER
// RUN: %atsan check fork && %atsan check fork.*
// PARENT-NOT: 'child'
// PARENT: region-begin 'outer'
// PARENT-NOT: 'child'
// PARENT: region-end
// PARENT-NOT: 'child'
// CHILD: 1 T0 region-begin 'outer'
// CHILD: region-end
// CHILD: region-begin 'child'
// CHILD: start T[[T:[0-9]+]]
// CHILD: join T[[T]]
// RAW: region-end
// RAW: region-begin 'child'
// EXEC: region-begin 'before'
// EXEC-NOT: 'child'
// AFTER-NOT: 'before'
// AFTER: region-begin 'child'
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sanitizer/atsan_interface.h>

#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int x;

static void *work(void *unused) {
  for (int i = 0; i < 1000; i++) {
    __atsan_region_begin("child");
    x++;
    __atsan_region_end();
  }
  return unused;
}

static void thread(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    work(NULL);
    return 0;
  }
  if (!strcmp(argv[1], "exec")) {
    __atsan_region_begin("before");
    execl(argv[0], argv[0], (char *)NULL);
    return 1;
  }
  __atsan_region_begin("outer");
  int raw = !strcmp(argv[1], "raw");
  pid_t child = raw ? (pid_t)syscall(SYS_fork) : fork();
  if (child == 0) {
    __atsan_region_end();
    work(NULL);
    if (!raw)
      thread();
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  x = 4;
  __atsan_region_end();
  return status;
}
