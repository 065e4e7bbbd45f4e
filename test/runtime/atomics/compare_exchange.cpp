// RUN: %clangxx_atsan -O0 -mcx16 -I%inputs %s -o %t.0
// Intent: a compare-exchange that fails is a read only, one that succeeds is a
// write, whatever its flavour and orders.
// RUN: %clangxx_atsan -O2 -mcx16 -I%inputs %s -o %t.2
// RUN: for t in %t.0 %t.2; do for i in strong weak relaxed pointer byte wide; do \
// RUN:   %silent $t $i || exit 1; \
// RUN:   %exits 66 $t $i succeeds 2>&1 | FileCheck %s || exit 1; done; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>

std::atomic<int> number{5};
std::atomic<int *> pointer{nullptr};
std::atomic<unsigned char> byte{5};
__attribute__((aligned(16))) __int128 wide = 5;
int target;

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'victim'
// CHECK: atomic read-modify-write
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation

// The victim reads twice. In between, a compare-exchange by the other thread.
template <class Read, class Exchange>
static void run(Read read, Exchange exchange) {
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        STEP(1) USE(read());
        STEP(3) USE(read());
      },
      [=] {
        STEP(2) exchange();
      });
}

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  bool succeeds = is("succeeds");
  int expected = succeeds ? 5 : 4;
  auto check = [=](bool success) {
    if (success != succeeds)
      abort();
  };
  auto load = [] { return number.load(); };
  if (is("strong"))
    run(load, [=] {
      int old = expected;
      check(number.compare_exchange_strong(old, 7));
    });
  if (is("weak"))
    run(load, [=] {
      int old = expected;
      check(number.compare_exchange_weak(old, 7));
    });
  if (is("relaxed"))
    run(load, [=] {
      int old = expected;
      check(number.compare_exchange_strong(old, 7, std::memory_order_relaxed,
                                           std::memory_order_relaxed));
    });
  if (is("pointer"))
    run([] { return pointer.load(); },
        [=] {
          int *old = succeeds ? nullptr : &target;
          check(pointer.compare_exchange_strong(old, &target));
        });
  if (is("byte"))
    run([] { return int(byte.load()); },
        [=] {
          unsigned char old = expected;
          check(byte.compare_exchange_strong(old, 7));
        });
  if (is("wide"))
    run([] { return long(__sync_val_compare_and_swap(&wide, 1, 1)); },
        [=] {
          check(__sync_bool_compare_and_swap(&wide, (__int128)expected, 7));
        });
}
