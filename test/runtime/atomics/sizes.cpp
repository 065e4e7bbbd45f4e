// RUN: %clangxx_atsan -O1 -mcx16 -I%inputs %s -o %t -latomic
// Intent: atomic operations of all sizes, 16 bytes too, have exactly their
// bytes. Each size twice: the last byte, and the byte after it.
// RUN: for i in 1 2 4 8 16; do for operation in load store add exchange; do \
// RUN:   %exits 66 %t $i $operation 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t $i $operation good || exit 1; done; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <stdint.h>

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'victim'
// CHECK: atomic
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}sizes.cpp:

alignas(16) char memory[32];

template <class T> static void run(bool good, const char *operation) {
  char *theirs = memory + sizeof(T) - (good ? 0 : 1);
  T *mine = reinterpret_cast<T *>(memory);
  auto operate = [=] {
    if (!strcmp(operation, "load"))
      USE(char(__atomic_load_n(mine, __ATOMIC_ACQUIRE)));
    if (!strcmp(operation, "store"))
      __atomic_store_n(mine, T(1), __ATOMIC_RELEASE);
    if (!strcmp(operation, "add"))
      __atomic_fetch_add(mine, T(1), __ATOMIC_SEQ_CST);
    if (!strcmp(operation, "exchange"))
      __atomic_exchange_n(mine, T(1), __ATOMIC_RELAXED);
  };
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        STEP(1) operate();
        STEP(3) operate();
      },
      [=] {
        STEP(2) *theirs = 1;
      });
}

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  bool good = is("good");
  if (is("1"))
    run<uint8_t>(good, argv[2]);
  if (is("2"))
    run<uint16_t>(good, argv[2]);
  if (is("4"))
    run<uint32_t>(good, argv[2]);
  if (is("8"))
    run<uint64_t>(good, argv[2]);
  if (is("16"))
    run<unsigned __int128>(good, argv[2]);
}
