// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a loop that writes under a condition. What it read is known before
// each such write, and before another thread's region acts on it; what a cut
// with a closed gate has left behind is not made up for later.
//
// A page fault in the middle of the loop lets the other thread run: nothing
// else can stop a loop without a visible point.
//
// RUN: for i in decides decides-late closed; do \
// RUN:   %exits 66 %t $i bad 2>&1 | FileCheck --check-prefixes=CHECK,$i %s || exit 1; \
// RUN:   %silent %t $i || exit 1; done
// RUN: for i in rest order; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck --check-prefixes=CHECK %s || exit 1; \
// RUN:   %silent %t $i good || exit 1; done
// RUN: %clangxx_atsan -O1 -S -emit-llvm -I%inputs %s -o - | FileCheck --check-prefix=IR %s
// IR-LABEL: define {{.*}} @_Z4scanm(
// IR: call void @__atsan_read_strided(
// IR: call void @__atsan_write4(ptr @go)
// IR: call void @__atsan_read_strided(
// IR: ret void
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <signal.h>
#include <sys/mman.h>

// CHECK: ERROR: AtomicitySanitizer: atomicity violation

constexpr size_t kPage = 4096, kCount = 2 * kPage;
static char *flags; // Two pages. The second one faults, until it is opened.
int go, found, x;

__attribute__((noinline)) void scan(size_t end) {
  for (size_t i = 0; i < end; i++)
    if (flags[i])
      go = 1;
}

// Reads both arrays always, and writes to neither.
static int a[100], b[100];
__attribute__((noinline)) static void compare(int end) {
  for (int i = 0; i < end; i++)
    if (a[i] < b[i])
      found = i;
}

static void open_second_page() {
  mprotect(flags + kPage, kPage, PROT_READ | PROT_WRITE);
}

// In the loop, when it gets to the second page.
ATSAN_NO_SANITIZE static void on_fault(int) {
  step_end(1);
  step_begin(3);
}

// Steps: 1 the loop's first half, 2 `meanwhile`, 3 the rest.
template <class Meanwhile>
static void in_the_middle(size_t flagged, bool in_region, Meanwhile meanwhile) {
  flags = static_cast<char *>(mmap(nullptr, kCount, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  flags[flagged] = 1;
  mprotect(flags + kPage, kPage, PROT_NONE);
  signal(SIGSEGV, on_fault);
  in_parallel(
      [=] {
        if (in_region) {
          atsan::atomic_region region("scan");
          scan(kCount);
        } else {
          scan(kCount);
          x = 1;
        }
        step_end(3);
      },
      [=] {
        step_begin(2);
        open_second_page();
        meanwhile();
      });
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good"),
       bad = called_with(argc, argv, "bad");
  // decides: {{[Rr]}}egion 'scan' of T
  // decides-late: {{[Rr]}}egion 'scan' of T
  // The other region acts on the write: it is behind the first half. If it
  // writes what the second half reads, it is before that, too.
  size_t flagged = called_with(argc, argv, "decides") ? 2 : 1000;
  if (flagged == 2 || called_with(argc, argv, "decides-late"))
    in_the_middle(flagged, true, [=] {
      {
        atsan::atomic_region region("act");
        if (go)
          flags[bad ? kCount - 1 : flagged] = 0;
      }
      step_end(2);
    });
  // No region is active when the loop writes: nothing of its first half is
  // known, nor may become known when it is over. What it reads in its second
  // half is in between the two accesses of the other thread's region.
  // closed: Region 'act' of T
  if (called_with(argc, argv, "closed"))
    in_the_middle(1000, false, [=] {
      atsan::atomic_region region("act");
      if (go)
        flags[bad ? kCount - 1 : 1000] = 0;
      step_end(2);
      step_begin(4);
      USE(x);
    });
  // What follows the last cut is told behind the loop.
  if (called_with(argc, argv, "rest")) {
    a[3] = -1;
    in_parallel(
        [=] {
          atsan::atomic_region region("loop");
          STEP(1) compare(90);
          STEP(3) compare(90);
        },
        [=] {
          STEP(2) a[good ? 90 : 89] = 1;
        });
  }
  // Outside regions: the write under the condition, of found, is behind the
  // region's first write and behind the read of element 49, but before the read
  // of element 51.
  if (called_with(argc, argv, "order")) {
    a[50] = -1;
    in_parallel(
        [=] {
          atsan::atomic_region region("order");
          STEP(1) found = 7;
          STEP(3) a[good ? 49 : 51] = 7;
        },
        [=] {
          STEP(2) compare(90);
        });
  }
}
