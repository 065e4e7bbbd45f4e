// RUN: %clangxx_atsan -O1 -g -I%inputs %s -o %t
// Intent: where a cycle has the shape of a usual mistake, the headline names it
// by the word that people use, in text, JSON, atsan report and atsan check.
// RUN: %exits 66 %t lost 2>&1 | FileCheck --check-prefix=LOST %s
// LOST: ERROR: AtomicitySanitizer: atomicity violation: lost update (observed, not conflict-serializable)
// LOST: It wrote over what had been written after it read it.
// RUN: for how in check decide halves; do %exits 66 %t $how 2>&1 | FileCheck --check-prefix=CHECK-ACT %s || exit 1; done
// CHECK-ACT: atomicity violation: check-then-act (observed
// RUN: %exits 66 %t torn 2>&1 | FileCheck --check-prefix=TORN %s
// TORN: atomicity violation: torn read (observed
// RUN: for how in again parts; do %exits 66 %t $how 2>&1 | FileCheck --check-prefix=DIRTY %s || exit 1; done
// DIRTY: atomicity violation: dirty read (observed
// DIRTY: Others read what it had not finished writing.
//
// The twins: what is none of these, and what several regions are to blame for.
// RUN: for how in written crossed; do %exits 66 %t $how 2>&1 | FileCheck --check-prefix=NONE %s || exit 1; done
// NONE: atomicity violation (observed, not conflict-serializable)
//
// RUN: rm -rf %t.logs && mkdir %t.logs && env ATSAN_OPTIONS=report_format=json:log_path=%t.logs/log %exits 66 %t torn
// RUN: %exits 66 %atsan report %t.logs --html=%t.html | FileCheck --check-prefix=REPORT %s
// REPORT: Region 'r' of T1 is not atomic: T2 came in between (torn read)
// RUN: FileCheck --check-prefix=REPORT --input-file=%t.html %s
// RUN: for how in lost check decide halves torn again parts written crossed; do env ATSAN_OPTIONS="trace='%t.trace'" %t $how > /dev/null 2>&1; %atsan check %t.trace > %t.$how; %atsan check --json %t.trace > %t.$how.json; done; true
// RUN: cat %t.lost %t.check %t.decide %t.halves %t.torn %t.again %t.parts %t.written %t.crossed | FileCheck --check-prefix=TRACE %s
// TRACE: atomicity violation: lost update (observed
// TRACE: atomicity violation: check-then-act (observed
// TRACE: atomicity violation: check-then-act (observed
// TRACE: atomicity violation: check-then-act (observed
// TRACE: atomicity violation: torn read (observed
// TRACE: atomicity violation: dirty read (observed
// TRACE: atomicity violation: dirty read (observed
// TRACE: atomicity violation (observed
// TRACE: atomicity violation (observed
// RUN: grep -q '"shape": *"torn read"' %t.torn.json && not grep -q '"shape"' %t.crossed.json
//
// Where every access is atomic, one lock is not the advice.
// RUN: %exits 66 %t atomics 2>&1 | FileCheck --check-prefix=ATOMICS %s
// ATOMICS: All of these accesses are atomic.
// ATOMICS-NOT: To fix it
//
// Potential: a lock that is given back in the middle.
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction %t early 2>&1 | FileCheck --check-prefix=EARLY %s
// EARLY: WARNING: AtomicitySanitizer: region may not be atomic: lock released too early (potential
//
// The introduction speaks of locks if a lock settles the order.
// RUN: env ATSAN_OPTIONS=lock_edges=1 %exits 66 %t locks 2>&1 | FileCheck --check-prefix=LOCKS %s
// LOCKS: atomicity violation: lock released too early (observed
// LOCKS: It gives the lock back, and takes it again for what belongs together.
// LOCKS: comes first, and so do the
// LOCKS-NEXT: release of a lock and its next acquire (lock_edges=1):
// RUN: env ATSAN_OPTIONS="trace='%t.trace'" %t locks && %exits 66 %atsan check --lock-edges %t.trace | FileCheck --check-prefix=LOCKS-TRACE %s
// LOCKS-TRACE: atomicity violation: lock released too early (observed
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>
#include <mutex>

int x, y;
struct alignas(8) {
  int low, high;
} both;
std::atomic<int> a;
std::mutex mutex;

static void use_locked() {
  std::lock_guard<std::mutex> guard(mutex);
  x++;
}

int main(int, char **argv) {
  const char *how = argv[1];
  const auto is = [=](const char *other) { return !strcmp(how, other); };
  if (is("early")) {
    const auto twice = [] {
      atsan::atomic_region region("r");
      use_locked();
      use_locked();
    };
    in_parallel(
        [=] {
          STEP(1) twice();
          STEP(3) twice();
          STEP(5) twice();
        },
        [] {
          STEP(2) use_locked();
          STEP(4) use_locked();
        });
    return 0;
  }
  in_parallel(
      [=] {
        if (is("crossed"))
          STEP(2) {
          }
        atsan::atomic_region region("r");
        int seen = 0;
        if (is("locks")) {
          STEP(1) {
            std::lock_guard<std::mutex> guard(mutex);
          }
          STEP(3) {
            std::lock_guard<std::mutex> guard(mutex);
          }
        } else if (is("atomics")) {
          STEP(1) seen = a.load();
          STEP(3) a.store(seen + 1);
        } else if (is("halves")) {
          // Nothing of what the other thread wrote is overwritten.
          STEP(1) USE(*(volatile long *)&both);
          STEP(3) both.high = 1;
        } else if (is("again") || is("parts")) {
          STEP(1) x = 1;
          STEP(3) (is("again") ? x : y) = 2;
        } else if (is("written")) {
          STEP(1) x = 1;
          STEP(3) USE(x);
        } else if (is("crossed")) {
          STEP(3) USE(x);
          STEP(5) USE(y);
        } else {
          STEP(1) seen = x;
          STEP(3) {
            if (is("lost"))
              x = seen + 1;
            else if (is("check"))
              USE(x);
            else if (is("decide"))
              y = seen;
            else
              USE(y);
          }
        }
      },
      [=] {
        if (is("crossed")) {
          atsan::atomic_region region("other");
          STEP(1) y = 1;
          STEP(4) x = 1;
          return;
        }
        STEP(2) {
          if (is("locks")) {
            std::lock_guard<std::mutex> guard(mutex);
          } else if (is("atomics")) {
            a = 7;
          } else if (is("again") || is("parts")) {
            atsan::atomic_region region("reader");
            USE(x);
            USE(y);
          } else if (is("halves")) {
            both.low = 5;
            USE(both.high);
          } else {
            atsan::atomic_region region("whole");
            x = 5;
            if (!is("lost") && !is("check"))
              y = 5;
          }
        }
      });
}
