// RUN: %clangxx_atsan -O1 -msse3 -mxsave -mfxsr -I%inputs %s -o %t
// Intent: what instructions of the processor read and write that no load or
// store of the compiler stands for is seen, to the byte.
// RUN: for i in lddqu fxsave fxrstor xsave maskmove; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t $i good || exit 1; done
// REQUIRES: avx2
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <immintrin.h>

alignas(64) static char area[4096];

// CHECK: region 'processor'
// CHECK: SUMMARY: {{.*}}processor.cpp:

// The region has an access of the byte on both sides of the other thread's.
template <class Access> static void run(char *byte, Access access) {
  auto touch = [=] {
    char value = *byte;
    __asm__ volatile("" : "+r"(value)); // Else there is no write.
    *byte = value;
  };
  in_parallel(
      [=] {
        atsan::atomic_region region("processor");
        STEP(1) touch();
        STEP(3) access();
      },
      [=] {
        STEP(2) touch();
      });
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  if (is("lddqu"))
    run(area + (good ? 19 : 18), [] {
      USE(_mm_cvtsi128_si32(
          _mm_lddqu_si128(reinterpret_cast<__m128i *>(area + 3))));
    });
  if (is("fxsave"))
    run(area + (good ? 416 : 415), [] { _fxsave(area); });
  if (is("fxrstor")) {
    _fxsave(area);
    run(area + (good ? 416 : 415), [] { _fxrstor(area); });
  }
  if (is("xsave"))
    run(area + (good ? 464 : 519), [] { _xsave(area, 3); });
  if (is("maskmove"))
    run(area + (good ? 5 : 6), [] {
      _mm_maskmoveu_si128(_mm_setzero_si128(), _mm_set1_epi64x(0x80LL << 48),
                          area);
    });
}
