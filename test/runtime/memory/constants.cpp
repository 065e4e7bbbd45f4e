// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// RUN: %clangxx_atsan -O1 -I%inputs -Wl,-z,norelro %s -o %t.norelro
// Intent: what the executable maps without the right to write is not recorded
// when functions of libc read it, nor, also through a pointer, what the dynamic
// linker takes that right from; what lies after it in the file is.
//
// RUN: for i in data bss; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t $i good || exit 1; done
// RUN: env ATSAN_OPTIONS=print_stats=1 %exits 0 %t literal 2>&1 \
// RUN:   | FileCheck --check-prefix=LITERAL %s
// RUN: env ATSAN_OPTIONS=print_stats=1 %exits 0 %t variable 2>&1 \
// RUN:   | FileCheck --check-prefix=VARIABLE %s
// RUN: for way in single neighbours loop; do \
// RUN:   env ATSAN_OPTIONS=print_stats=1 %exits 0 %t table $way 2>&1 \
// RUN:   | FileCheck --check-prefix=LITERAL %s || exit 1; \
// RUN:   env ATSAN_OPTIONS=print_stats=1 %exits 0 %t pointers $way 2>&1 \
// RUN:   | FileCheck --check-prefix=VARIABLE %s || exit 1; \
// RUN:   env ATSAN_OPTIONS=print_stats=1 %exits 0 %t.norelro table $way 2>&1 \
// RUN:   | FileCheck --check-prefix=VARIABLE %s || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'user'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}constants.cpp:

// Two open regions that read the same granules make lists of them.
// LITERAL: , 0 detail blocks
// VARIABLE: , {{[1-9][0-9]*}} detail blocks

static char in_data[64] = "0123456789abcdefghijklmnopqrstuvwxyz";
static char in_bss[64];
static const char literal[64] = "0123456789abcdefghijklmnopqrstuvwxyz";

static const void *const table[6] = {in_data, in_bss,      literal,
                                     table,   &in_data[8], 0};
static const void *pointers[6] = {in_data, in_bss,      literal,
                                  table,   &in_data[8], 0};

// Not known to the compiler.
template <class T> static T *hidden(T *p) {
  __asm__ volatile("" : "+r"(p));
  return p;
}

static void copy_from(const void *from) {
  char to[48];
  memcpy(hidden(to), hidden(from), sizeof(to));
}

// Somebody writes between two reads of a region.
static void interleave(char *bytes, bool good) {
  in_parallel(
      [=] {
        atsan::atomic_region region("user");
        STEP(1) copy_from(bytes);
        STEP(3) copy_from(bytes);
      },
      [=] {
        STEP(2) hidden(bytes)[good ? 48 : 47] = 'x';
      });
}

template <class Read> static void read_by_two(Read read) {
  in_parallel(
      [=] {
        atsan::atomic_region region("user");
        STEP(1) read();
        STEP(3) read();
      },
      [=] {
        atsan::atomic_region region("other");
        STEP(2) read();
        STEP(4) read();
      });
}

// One by one, as neighbours, and in a loop that is told as a whole.
static void look_up(const void *const *pointer) {
  for (pointer = hidden(pointer); *pointer; pointer++) hidden(*pointer);
}
static void look_up_two(const void *const *pointer) {
  pointer = hidden(pointer);
  USE(static_cast<const char *>(pointer[0]) -
      static_cast<const char *>(pointer[1]));
}
static void add_up(const void *const *pointer) {
  unsigned long sum = 0;
  pointer = hidden(pointer);
  for (int i = 0; i < 6; i++)
    sum += reinterpret_cast<unsigned long>(pointer[i]);
  USE(sum);
}
static void look_up_in_a_way(const void *const *pointer, char way) {
  read_by_two([=] {
    if (way == 's')
      look_up(pointer);
    if (way == 'n')
      look_up_two(pointer);
    if (way == 'l')
      add_up(pointer);
  });
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  if (called_with(argc, argv, "data"))
    interleave(in_data, good);
  if (called_with(argc, argv, "bss"))
    interleave(in_bss, good);
  if (called_with(argc, argv, "literal"))
    read_by_two([] { copy_from(literal); });
  if (called_with(argc, argv, "variable"))
    read_by_two([] { copy_from(in_data); });
  if (called_with(argc, argv, "table"))
    look_up_in_a_way(table, argv[2][0]);
  if (called_with(argc, argv, "pointers"))
    look_up_in_a_way(pointers, argv[2][0]);
}
