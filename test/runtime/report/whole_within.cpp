// RUN: %clangxx_atsan -O1 -g -I%inputs %s -o %t
// Intent: a region is blamed alone if the others on the cycle ran whole between
// two of its accesses, even if these were entered and left at different ones;
// with others in between, with three threads, and in a loop.
// RUN: for how in whole observed three again reversed; do %exits 66 %t $how 2>&1 | FileCheck --check-prefix=ALONE --implicit-check-not='cannot all' %s || exit 1; done
// ALONE: Region 'outer' of T1 is not atomic: T2{{.*}} came in between,
// ALONE: hold one lock in
// ALONE-NEXT: region 'outer'
// RUN: env ATSAN_OPTIONS=report_format=json %exits 66 %t whole 2>&1 | FileCheck --check-prefix=JSON %s
// JSON: "message":"Region 'outer' of T1 is not atomic: T2 came in between"
// JSON: "title":"region 'outer'",{{[^{]*}}"blamed":true
// JSON: "title":"region 'inner'",{{[^{]*}}"blamed":false
//
// The twins: the inner region was left before it was entered, so it takes both;
// and nobody came in between.
// RUN: %exits 66 %t crossed 2>&1 | FileCheck --check-prefix=BOTH %s
// BOTH: These regions cannot all be atomic:
// BOTH-NEXT: region 'outer' of T1
// BOTH-NEXT: region 'inner' of T2
// RUN: env ATSAN_OPTIONS=report_format=json %exits 66 %t crossed 2>&1 | FileCheck --check-prefix=JSON-BOTH %s
// JSON-BOTH: "title":"region 'outer'",{{[^{]*}}"blamed":true
// JSON-BOTH: "title":"region 'inner'",{{[^{]*}}"blamed":true
// RUN: %silent %t after
//
// A trace says the same.
// RUN: for how in whole observed three again crossed reversed; do env ATSAN_OPTIONS="trace='%t.trace'" %t $how > /dev/null 2>&1; %atsan check %t.trace > %t.$how; done; true
// RUN: for how in whole observed three again reversed; do FileCheck --check-prefix=TRACE --implicit-check-not='cannot all' --input-file=%t.$how %s || exit 1; done
// TRACE: Region 'outer' of T1 is not atomic: T2{{.*}} came in between
// RUN: FileCheck --check-prefix=BOTH --input-file=%t.crossed %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x, y, z;

static bool is(const char *how, const char *other) {
  return !strcmp(how, other);
}

static void inner(const char *how) {
  atsan::atomic_region region("inner");
  if (is(how, "reversed")) {
    y = 1;
    x = 1;
  } else if (is(how, "again")) {
    for (int i = 0; i < 3; i++) {
      x = i;
      y = i;
    }
  } else {
    x = 1;
    y = 1;
  }
}

static void outer(const char *how) {
  atsan::atomic_region region("outer");
  STEP(1) USE(x);
  STEP(3) {
    if (!is(how, "after"))
      USE(y);
  }
}

// "inner" writes y before "outer" begins, and x in the middle of it.
static void crossed() {
  in_parallel(
      [] {
        STEP(2) {
        }
        atsan::atomic_region region("outer");
        STEP(3) USE(x);
        STEP(5) USE(y);
      },
      [] {
        atsan::atomic_region region("inner");
        STEP(1) y = 1;
        STEP(4) x = 1;
      });
}

// Two that ran whole, one after the other; the second one had been entered by
// the first one before.
static void three() {
  in_parallel(
      [] {
        atsan::atomic_region region("outer");
        STEP(1) USE(x);
        STEP(4) USE(z);
      },
      [] {
        STEP(2) {
          atsan::atomic_region region("second");
          x = 1;
          y = 1;
        }
      },
      [] {
        STEP(3) {
          atsan::atomic_region region("third");
          USE(y);
          z = 1;
        }
      });
}

// A region that is still open has come to reach the inner one before.
static void observed() {
  in_parallel(
      [] {
        atsan::atomic_region region("outer");
        STEP(2) USE(x);
        STEP(4) USE(y);
      },
      [] {
        STEP(3) {
          atsan::atomic_region region("inner");
          z = 1;
          x = 1;
          y = 1;
        }
      },
      [] {
        atsan::atomic_region region("observer");
        STEP(1) USE(z);
        STEP(5) {
        }
      });
}

int main(int, char **argv) {
  const char *how = argv[1];
  if (is(how, "crossed"))
    crossed();
  else if (is(how, "three"))
    three();
  else if (is(how, "observed"))
    observed();
  else
    in_parallel([=] { outer(how); },
                [=] {
                  STEP(2) inner(how);
                });
}
