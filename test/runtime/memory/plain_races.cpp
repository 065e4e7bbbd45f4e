// RUN: %clangxx_atsan -O2 -I %inputs %s -o %t
// RUN: %silent %t
// RUN: %clangxx_atsan -O2 -I %inputs -DTORN %s -o %t.torn
// RUN: %exits 66 %t.torn 2>&1 | FileCheck %s
// Intent: plain accesses that race (rule 8). Each is analysed on one side of
// the other, so transactions of one access each are serializable whatever the
// race does: no report, ever. A region that is torn by a racing write is
// reported.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "atsan_test.h"

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

// Bytes, so that accesses of all sizes overlap. Aligned ones: others may be
// torn.
alignas(64) static char arena[64];

template <class T> static void access(unsigned random) {
  char *place = arena + random % sizeof(arena) / sizeof(T) * sizeof(T);
  T value;
  if (random & 0x10000) {
    memcpy(&value, place, sizeof(T));
    USE(value);
  } else {
    value = static_cast<T>(random);
    memcpy(place, &value, sizeof(T));
  }
}

static void race(unsigned seed) {
  for (int i = 0; i < 100000; i++) {
    seed = seed * 1103515245 + 12345;
    unsigned random = seed >> 8;
    bool region = random & 0x20000;
    if (region)
      __atsan_region_begin("one access");
    switch (random >> 18 & 3) {
    case 0:
      access<uint8_t>(random);
      break;
    case 1:
      access<uint16_t>(random);
      break;
    case 2:
      access<uint32_t>(random);
      break;
    case 3:
      access<uint64_t>(random);
      break;
    }
    if (region)
      __atsan_region_end();
  }
}

#ifdef TORN
static int counter;

static void tear() {
  __atsan_region_begin("increment");
  STEP(1) USE(counter);
  STEP(3) counter = 1;
  __atsan_region_end();
}
#endif

int main() {
  std::vector<std::thread> threads;
#ifdef TORN
  threads.emplace_back(tear);
  threads.emplace_back([] {
    STEP(2) counter = 2;
  });
#else
  for (unsigned i = 0; i < 4; i++) threads.emplace_back(race, i + 1);
#endif
  for (std::thread &thread : threads) thread.join();
}
// CHECK: Region 'increment' of T{{[0-9]+}} is not atomic
