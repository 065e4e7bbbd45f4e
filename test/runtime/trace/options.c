// RUN: %clang_atsan -O1 %s -o %t -lpthread
// Intent: what cannot be a trace is an error before the program begins, with
// exit code 2, and is left alone. A trace that reaches its limit stops with a
// word, the program goes on, and what was recorded can be read.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir
// RUN: env ATSAN_OPTIONS=trace=none/t %exits 2 %t 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: ERROR: AtomicitySanitizer: cannot write the trace none/t: No such file or directory
// RUN: echo important > text && env ATSAN_OPTIONS=trace=text %exits 2 %t 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: ERROR: AtomicitySanitizer: cannot write the trace text: it is there, and is no trace; remove it or name another file
// RUN: grep important text
// RUN: env ATSAN_OPTIONS=trace=/dev/null %exits 2 %t 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: ERROR: AtomicitySanitizer: cannot write the trace /dev/null: it is there, and is no trace
// RUN: env ATSAN_OPTIONS=trace=limit:trace_size_limit=10x %exits 2 %t 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: ERROR: AtomicitySanitizer: bad run-time option trace_size_limit=10x
// RUN: env ATSAN_OPTIONS=trace=limit:trace_size_limit=10 %exits 2 %t 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: ERROR: AtomicitySanitizer: bad run-time option trace_size_limit=10 in ATSAN_OPTIONS: allowed are 0 and whole numbers from 4096
// RUN: env ATSAN_OPTIONS=trace=limit:trace_size_limit=100000 %t 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: WARNING: AtomicitySanitizer: recording of the trace {{.*}}/limit has stopped: the size limit is reached. What happens later is not in it
// LIMIT-NEXT: done
// RUN: %python -c 'import os; assert 50000 < os.path.getsize("limit") <= 100000'
// RUN: %exits 2 %atsan trace stats limit 2>&1 | FileCheck %s --check-prefix=READ
// READ: recording stopped at trace_size_limit. What happened later is missing
// The same where the system sets the limit: no signal.
// RUN: sh -c 'ulimit -f 100; ATSAN_OPTIONS=trace=ulimit exec %t' 2>&1 | FileCheck %s --check-prefix=ULIMIT
// ULIMIT: WARNING: AtomicitySanitizer: recording of the trace {{.*}}/ulimit has stopped: the size limit is reached
// ULIMIT-NEXT: done
// An older trace is replaced, also from another directory than the program's.
// RUN: env ATSAN_OPTIONS=trace=limit %t away
// RUN: %atsan trace stats limit 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE-NOT: missing
// WHOLE: 1000000 write
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <unistd.h>

static volatile int table[1 << 16];

int main(int argc, char **argv) {
  (void)argv;
  // Also one whose descriptors were closed, as daemons do it.
  if (argc > 1 && chdir("/") == 0)
    for (int i = 3; i < 1024; i++) close(i);
  unsigned at = 1;
  for (int i = 0; i < 1000000; i++) {
    at = at * 1664525 + 1013904223;
    table[at >> 16] = i;
  }
  puts("done");
  return 0;
}
