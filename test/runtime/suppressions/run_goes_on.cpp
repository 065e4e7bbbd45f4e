// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: after a suppressed finding the run goes on, also with
// halt_on_error=1; it is neither printed nor counted, and a later one is.
// RUN: echo 'region:first' > %t.first
// RUN: printf 'region:first\nregion:second\n' > %t.both
// RUN: env ATSAN_OPTIONS="suppressions='%t.first'" %exits 66 %t 2>&1 | FileCheck --check-prefix=SECOND %s
// SECOND-NOT: region 'first'
// SECOND: Region 'second' of T1 is not atomic
// SECOND-NOT: the end
// RUN: env ATSAN_OPTIONS="suppressions='%t.first':halt_on_error=0:max_reports=1" %exits 66 %t 2>&1 | FileCheck --check-prefix=GOESON %s
// GOESON-NOT: region 'first'
// GOESON: Region 'second' of T1 is not atomic
// GOESON: the end
// GOESON: suppressed findings
// GOESON-NEXT: {{^}} 1 region:first{{$}}
// RUN: env ATSAN_OPTIONS="suppressions='%t.both'" %exits 0 %t 2>&1 | FileCheck --check-prefix=BOTH %s
// BOTH-NOT: ERROR
// BOTH: the end
// BOTH: suppressed findings
// BOTH-NEXT: {{^}} 1 region:first{{$}}
// BOTH-NEXT: {{^}} 1 region:second{{$}}
// RUN: env ATSAN_OPTIONS="suppressions='%t.both':print_suppressions=0" %exits 0 %t 2>&1 | FileCheck --check-prefix=QUIET --implicit-check-not=suppressed %s
// QUIET: the end
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x;

static void read_twice(const char *name, int step) {
  atsan::atomic_region region(name);
  STEP(step) USE(x);
  STEP(step + 2) USE(x);
}

int main() {
  in_parallel(
      [] {
        read_twice("first", 1);
        read_twice("second", 4);
      },
      [] {
        STEP(2) x = 1;
        STEP(5) x = 2;
      });
  fprintf(stderr, "the end\n");
}
