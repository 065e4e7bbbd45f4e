// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: conflicts are byte-precise. Each case has a region that accesses some
// bytes twice, and one access of another thread in between: neighbours are
// clean, also in one word; overlaps are not, whatever their sizes and
// alignments.
//
// RUN: for i in clean-1 clean-2 clean-3 clean-4 clean-5 clean-6 clean-7; do \
// RUN:   %silent %t $i || exit 1; done
// RUN: for i in 1 2 3 4 5 6 7 8 9; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <stdint.h>

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'victim'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}bytes.cpp:{{[0-9]+}}:{{[0-9]+}} in {{.*}}read

alignas(64) unsigned char memory[128];

struct __attribute__((packed)) Unaligned16 {
  uint16_t value;
};
struct __attribute__((packed)) Unaligned32 {
  uint32_t value;
};
struct __attribute__((packed)) Unaligned64 {
  uint64_t value;
};

template <class T> static void read(int offset) {
  USE(reinterpret_cast<T *>(memory + offset)->value);
}
template <class T> static void write(int offset) {
  reinterpret_cast<T *>(memory + offset)->value = 1;
}

struct Byte {
  uint8_t value;
};
struct Half {
  uint16_t value;
};
struct Word {
  uint32_t value;
};
struct Double {
  uint64_t value;
};

template <class Mine, class Theirs> static void run(int mine, int theirs) {
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        STEP(1) read<Mine>(mine);
        STEP(3) read<Mine>(mine);
      },
      [=] {
        STEP(2) write<Theirs>(theirs);
      });
}

int main(int argc, char **argv) {
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  // Neighbours.
  if (is("clean-1"))
    run<Byte, Byte>(0, 1);
  if (is("clean-2"))
    run<Byte, Byte>(8, 7);
  if (is("clean-3"))
    run<Half, Half>(2, 4);
  if (is("clean-4"))
    run<Word, Word>(0, 4);
  if (is("clean-5"))
    run<Unaligned32, Byte>(1, 5);
  if (is("clean-6"))
    run<Unaligned64, Byte>(5, 13); // Bytes 5 to 12.
  if (is("clean-7"))
    run<Unaligned64, Unaligned64>(5, 13);
  // A part of a word, and the word around it.
  if (is("1"))
    run<Byte, Byte>(3, 3);
  if (is("2"))
    run<Double, Byte>(0, 7);
  if (is("3"))
    run<Byte, Double>(5, 0);
  if (is("4"))
    run<Half, Word>(6, 4);
  // Unaligned, in one word and across words, by one byte.
  if (is("5"))
    run<Unaligned32, Byte>(1, 4);
  if (is("6"))
    run<Unaligned64, Byte>(5, 12);
  if (is("7"))
    run<Unaligned64, Unaligned64>(5, 12);
  if (is("8"))
    run<Unaligned64, Unaligned32>(13, 10); // Their last byte, our first.
  if (is("9"))
    run<Unaligned16, Unaligned16>(63, 64); // Across a cache line.
}
