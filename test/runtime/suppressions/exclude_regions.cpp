// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a region that the list names does not begin: neither its name, its
// mangled name, its function nor its place is beyond reach. Regions inside it
// do begin.
// RUN: for name in 'named' 'n?m*' '  named  '; do echo "$name" > %t.list; env ATSAN_OPTIONS="exclude_regions='%t.list'" %silent %t named || exit 1; done
// RUN: for name in 'bank::whole' 'bank::whole(int)' '_ZN4bank5wholeEi' '*whole*'; do echo "$name" > %t.list; env ATSAN_OPTIONS="exclude_regions='%t.list'" %silent %t whole || exit 1; done
// RUN: grep -n '// HERE' %s | tail -n 1 | sed 's/^\([0-9]*\).*/exclude_regions.cpp:\1/' > %t.list
// RUN: env ATSAN_OPTIONS="exclude_regions='%t.list'" %silent %t unnamed
// RUN: for name in bank::unnamed _ZN4bank7unnamedEv; do echo "$name" > %t.list; env ATSAN_OPTIONS="exclude_regions='%t.list'" %silent %t unnamed || exit 1; done
//
// RUN: printf '# outer only\nouter\n' > %t.list
// RUN: env ATSAN_OPTIONS="exclude_regions='%t.list'" %exits 66 %t nested 2>&1 | FileCheck --check-prefix=INNER %s
// INNER: Region 'inner' of T1 is not atomic
// RUN: printf 'inner\n' > %t.list
// RUN: env ATSAN_OPTIONS="exclude_regions='%t.list'" %exits 66 %t nested 2>&1 | FileCheck --check-prefix=OUTER %s
// OUTER: Region 'outer' of T1 is not atomic
// RUN: printf 'inner\nouter\n' > %t.list
// RUN: env ATSAN_OPTIONS="exclude_regions='%t.list'" %silent %t nested
//
// The twins: lists that name none of them.
// RUN: printf 'name\nnamed?\nbank\nwhole\nunnamed\nexclude_regions.cpp:1\n' > %t.list
// RUN: for how in named whole unnamed; do env ATSAN_OPTIONS="exclude_regions='%t.list'" %exits 66 %t $how 2>&1 | FileCheck --check-prefix=REPORT %s || exit 1; done
// REPORT: ERROR: AtomicitySanitizer: atomicity violation
//
// RUN: printf 'fine\nfun:foo\n' > %t.list
// RUN: env ATSAN_OPTIONS="exclude_regions='%t.list'" %exits 2 %t named 2>&1 | FileCheck --check-prefix=KIND %s
// KIND: ERROR: AtomicitySanitizer: {{.*}}.list:2: 'fun:foo' begins with a kind, which this list does not have; write the name of the function alone
// RUN: env ATSAN_OPTIONS="exclude_regions='%t.none'" %exits 2 %t named 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: ERROR: AtomicitySanitizer: cannot read '{{.*}}.none', which run-time option exclude_regions names: No such file
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x;

static void read_twice() {
  STEP(1) USE(x);
  STEP(3) USE(x);
}

namespace bank {

ATSAN_ATOMIC void whole(int) { read_twice(); }

__attribute__((noinline)) void unnamed() {
  __atomic_begin(); // HERE
  read_twice();
  __atomic_end();
}

} // namespace bank

static void run(const char *how) {
  if (!strcmp(how, "named")) {
    atsan::atomic_region region("named");
    read_twice();
  } else if (!strcmp(how, "whole")) {
    bank::whole(1);
  } else if (!strcmp(how, "unnamed")) {
    bank::unnamed();
  } else {
    atsan::atomic_region outer("outer");
    atsan::atomic_region inner("inner");
    read_twice();
  }
}

int main(int, char **argv) {
  in_parallel([=] { run(argv[1]); },
              [] {
                STEP(2) x = 1;
              });
}
