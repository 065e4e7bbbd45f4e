// RUN: %clangxx_atsan -fatomicity-tsan-annotations -O1 -I%inputs %s -o %t
// Intent: an access that code tells ThreadSanitizer of is one, of its size and
// kind; so is an atomic operation by its functions, which do what they say.
// RUN: %silent %t values
// RUN: for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do %exits 66 %t between $i 2>&1 | FileCheck --allow-unused-prefixes --check-prefixes=CHECK,CHECK$i %s && %silent %t beside $i || exit 1; done
// RUN: %silent %t between 0
// RUN: %silent %t again
// RUN: %exits 66 %t once 2>&1 | FileCheck %s
// CHECK: region 'victim'
// CHECK1: write of 1 byte
// CHECK3: write of 4 bytes
// CHECK5: write of 16 bytes
// CHECK6: write of 3 bytes
// CHECK10: atomic write of 4 bytes
// CHECK11: atomic read-modify-write of 8 bytes
// CHECK13: atomic read-modify-write of 16 bytes
// CHECK: SUMMARY: {{.*}}tsan_accesses.cpp:{{.*}} in {{.*(victim|told|retry)}}
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <sanitizer/tsan_interface.h>
#include <sanitizer/tsan_interface_atomic.h>

extern "C" {
void __tsan_read1(void *);
void __tsan_write1(void *);
void __tsan_write2(void *);
void __tsan_write4(void *);
void __tsan_write8(void *);
void __tsan_write16(void *);
void __tsan_write_range(void *, size_t);
void __tsan_unaligned_write4(void *);
void __tsan_write4_pc(void *, void *);
}

alignas(16) static char memory[64];
static __tsan_memory_order order = __tsan_memory_order_relaxed;

// Tells of a write at `p`, by the i-th function; returns its size.
ATSAN_NO_SANITIZE __attribute__((noinline)) static int told(int i, char *p) {
  switch (i) {
  case 1:
    return __tsan_write1(p), 1;
  case 2:
    return __tsan_write2(p), 2;
  case 3:
    return __tsan_write4(p), 4;
  case 4:
    return __tsan_write8(p), 8;
  case 5:
    return __tsan_write16(p), 16;
  case 6:
    return __tsan_write_range(p, 3), 3;
  case 7:
    return __tsan_unaligned_write4(p), 4;
  case 8:
    return __tsan_write4_pc(p, __builtin_return_address(0)), 4;
  case 9:
    return __tsan_atomic8_store((__tsan_atomic8 *)p, 1, order), 1;
  case 10:
    return __tsan_atomic32_store((__tsan_atomic32 *)p, 1, order), 4;
  case 11:
    return __tsan_atomic64_fetch_add((__tsan_atomic64 *)p, 1, order), 8;
  case 12:
    return __tsan_atomic16_compare_exchange_val((__tsan_atomic16 *)p, 0, 1,
                                                order, order),
           2;
  case 13:
    return __tsan_atomic128_exchange((__tsan_atomic128 *)p, 1, order), 16;
  }
  // A read, and an exchange that fails, which is one, too.
  __tsan_atomic32 five = 5;
  __tsan_read1(p);
  __tsan_atomic32_compare_exchange_strong((__tsan_atomic32 *)p, &five, 1, order,
                                          order);
  return 4;
}

// Another thread's access of the last byte that it is told of, or the next one,
// lies between two reads of the region.
static void victim(int i, bool beside) {
  char scratch[16] = {};
  static char *byte;
  byte = memory + 16 + (i == 7 ? 2 : 0);
  char *begin = byte;
  byte += (i ? told(i, scratch) : 1) - !beside;
  in_parallel(
      [] {
        atsan::atomic_region region("victim");
        STEP(1) __tsan_read1(byte);
        STEP(3) __tsan_read1(byte);
      },
      [=] {
        STEP(2) told(i, begin);
      });
}

// The region's exchange fails, since another thread's came in between. It tries
// again, and says so, or not.
template <bool kRestarts> static void retry() {
  static volatile __tsan_atomic32 word;
  in_parallel(
      [] {
        atsan::atomic_region region("victim");
        __tsan_atomic32 seen;
        STEP(1) seen = __tsan_atomic32_load(&word, order);
        STEP(3) {
          CHECK(!__tsan_atomic32_compare_exchange_strong(&word, &seen, 2, order,
                                                         order));
          if (kRestarts)
            __atomic_restart();
          CHECK(__tsan_atomic32_compare_exchange_strong(&word, &seen, 2, order,
                                                        order));
        }
      },
      [] {
        STEP(2) __tsan_atomic32_store(&word, 1, order);
      });
}

#define CHECK_VALUES(bits)                                                     \
  do {                                                                         \
    typedef __tsan_atomic##bits T;                                             \
    alignas(16) T word = 5, seen = 4;                                          \
    CHECK(__tsan_atomic##bits##_load(&word, order) == 5);                      \
    __tsan_atomic##bits##_store(&word, 6, order);                              \
    CHECK(__tsan_atomic##bits##_exchange(&word, 12, order) == 6);              \
    CHECK(__tsan_atomic##bits##_fetch_add(&word, 5, order) == 12);             \
    CHECK(__tsan_atomic##bits##_fetch_sub(&word, 2, order) == 17);             \
    CHECK(__tsan_atomic##bits##_fetch_and(&word, 6, order) == 15);             \
    CHECK(__tsan_atomic##bits##_fetch_or(&word, 9, order) == 6);               \
    CHECK(__tsan_atomic##bits##_fetch_xor(&word, 5, order) == 15);             \
    CHECK(__tsan_atomic##bits##_fetch_nand(&word, 2, order) == 10);            \
    CHECK(__tsan_atomic##bits##_compare_exchange_val(&word, -3, 7, order,      \
                                                     order) == -3);            \
    CHECK(!__tsan_atomic##bits##_compare_exchange_strong(&word, &seen, 8,      \
                                                         order, order));       \
    CHECK(seen == 7);                                                          \
    CHECK(__tsan_atomic##bits##_compare_exchange_strong(&word, &seen, 8,       \
                                                        order, order));        \
    CHECK(!__tsan_atomic##bits##_compare_exchange_weak(&word, &seen, 9, order, \
                                                       order));                \
    CHECK(seen == 8 && word == 8);                                             \
  } while (0)

static void values() {
  CHECK_VALUES(8);
  CHECK_VALUES(16);
  CHECK_VALUES(32);
  CHECK_VALUES(64);
  CHECK_VALUES(128);
  __tsan_atomic_thread_fence(order);
  __tsan_atomic_signal_fence(order);
  int size;
  CHECK(!__tsan_get_current_report());
  CHECK(!__tsan_get_report_unique_tid(nullptr, 0, &size));
}

int main(int argc, char **argv) {
  if (called_with(argc, argv, "values")) {
    values();
    atsan::atomic_region region("analysed, too");
    values();
  } else if (argc == 2) {
    called_with(argc, argv, "again") ? retry<true>() : retry<false>();
  } else {
    victim(atoi(argv[2]), called_with(argc, argv, "beside"));
  }
}
