// RUN: %clang_atsan -O1 %s -o %t -lpthread
// Intent: a disk that gets full while a trace is recorded stops the recording
// with a word, and nothing else; what was recorded can be read. So it is with a
// file system that cannot allocate ahead, where a trace may also be whole. One
// that is full before is an error before the program begins.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir
// RUN: env ATSAN_OPTIONS=trace=full FAIL=allocate %t 2>&1 | FileCheck %s --check-prefix=STOPS
// RUN: env ATSAN_OPTIONS=trace=written FAIL=write %t 2>&1 | FileCheck %s --check-prefix=STOPS
// STOPS: WARNING: AtomicitySanitizer: recording of the trace {{.*}} has stopped: No space left on device. What happens later is not in it
// STOPS-NEXT: done
// RUN: for i in full written; do %exits 2 %atsan trace stats $i > $i.stats 2>&1 && \
// RUN:   FileCheck %s --check-prefix=READ < $i.stats || exit 1; done
// READ-DAG: {{[0-9][0-9][0-9][0-9]+}} write
// READ-DAG: the disk was full{{.*}} What happened later is missing
// RUN: env ATSAN_OPTIONS=trace=whole FAIL=nothing %t 2>&1 | FileCheck %s --check-prefix=DONE
// RUN: env ATSAN_OPTIONS=trace=slow FAIL=ahead %t 2>&1 | FileCheck %s --check-prefix=DONE
// DONE-NOT: AtomicitySanitizer
// DONE: done
// RUN: for i in whole slow; do %atsan trace stats $i | FileCheck %s --check-prefix=WHOLE || exit 1; done
// WHOLE: 200000 write
// RUN: %clang_atsan -O1 -DFULL %s -o %t.full -lpthread
// RUN: env ATSAN_OPTIONS=trace=none %exits 2 %t.full 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: ERROR: AtomicitySanitizer: cannot write the trace none: No space left on device
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include <sanitizer/atsan_interface.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The end of the disk, in the file.
enum { kEnd = 100000 };

/* Is it this that FAIL says? (Nothing does before libc has begun.) */
ATSAN_NO_SANITIZE static int fails(const char *what) {
#ifdef FULL
  return 1;
#endif
  extern char **environ;
  for (char **entry = environ; entry && *entry; entry++) {
    const char *text = *entry, *name = "FAIL=";
    while (*name && *text == *name) text++, name++;
    if (*name)
      continue;
    while (*what && *text == *what) text++, what++;
    return !*what && !*text;
  }
  return 0;
}

ATSAN_NO_SANITIZE static long fail(int error) {
  errno = error;
  return -1;
}

// The kernel of this test, for the runtime, too.
ATSAN_NO_SANITIZE long syscall(long number, ...) {
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_fallocate) {
    if (fails("allocate") && a[2] + a[3] > kEnd)
      return fail(ENOSPC);
    if (fails("write") || fails("ahead"))
      return fail(EOPNOTSUPP);
  }
  if (number == SYS_pwrite64 && fails("write") &&
      (a[3] + a[2] > kEnd || fails("all")))
    return fail(ENOSPC);
  register long r10 __asm__("r10") = a[3];
  register long r8 __asm__("r8") = a[4];
  register long r9 __asm__("r9") = a[5];
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10),
                     "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result < 0 && result > -4096 ? fail((int)-result) : result;
}

static volatile int table[1 << 16];

int main(void) {
  unsigned at = 1;
  for (int i = 0; i < 200000; i++) {
    at = at * 1664525 + 1013904223;
    table[at >> 16] = i;
  }
  puts("done");
  return 0;
}
