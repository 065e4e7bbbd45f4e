// RUN: for w in int:4 short:2 char:1; do %clangxx_atsan -O1 -I%inputs -DWORD=${w%%:*} %s -o %t.${w#*:} || exit 1; done
// Intent: accesses of less than a granule, one behind the other and in one
// line, have one hook: each is found with its own address and size, and outside
// regions they are still one after the other.
// RUN: %clangxx_atsan -O1 -I%inputs -DWORD=short -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck --check-prefix=HOOKS %s
// HOOKS-DAG: U __atsan_read_strided
// HOOKS-DAG: U __atsan_write_strided
//
// Which element another thread changes: the first or the last, or that behind.
// RUN: for s in 4 2 1; do for how in reads border leaf shared both; do for n in 0 2; do %exits 66 %t.$s $how $n 2>&1 | FileCheck -DSIZE=$s --check-prefix=READ %s || exit 1; done; %silent %t.$s $how 3 || exit 1; done; done
// RUN: for s in 4 2 1; do for how in writes over; do for n in 0 2; do %exits 66 %t.$s $how $n 2>&1 | FileCheck -DSIZE=$s --check-prefix=WRITE %s || exit 1; done; %silent %t.$s $how 3 || exit 1; done; done
// RUN: for s in 4 2 1; do for n in 0 23 39; do %exits 66 %t.$s many $n 2>&1 | FileCheck -DSIZE=$s --check-prefix=WRITE %s || exit 1; done; %silent %t.$s many 40 || exit 1; done
// A loop that goes downwards, of few elements and of many.
// RUN: for s in 4 2 1; do for n in 0 2; do %exits 66 %t.$s down $n 2>&1 | FileCheck -DSIZE=$s --check-prefix=WRITE %s || exit 1; done; %silent %t.$s down 3 || exit 1; done
// RUN: for s in 4 2 1; do for n in 0 39; do %exits 66 %t.$s far-down $n 2>&1 | FileCheck -DSIZE=$s --check-prefix=WRITE %s || exit 1; done; %silent %t.$s far-down 40 || exit 1; done
// Outside regions: what a region changes before the three are read, and after.
// RUN: for s in 4 2 1; do %exits 66 %t.$s outside 0 1 2>&1 | FileCheck -DSIZE=$s --check-prefix=OUTSIDE %s || exit 1; %silent %t.$s outside 1 0 || exit 1; done
// For a trace each is an event.
// RUN: env ATSAN_OPTIONS=trace=%t.trace %t.4 outside 1 0
// RUN: %atsan trace print %t.trace | grep " T2 " | FileCheck --check-prefix=TRACE %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "access_between.hpp"

constexpr int kMany = 40;
// Some are on both sides of the border of a page of the shadow, or of a leaf.
alignas(1024) static char memory[2048];
constexpr size_t kLeaf = 16 << 20;
static char large[2 * kLeaf];
static WORD *const inside = reinterpret_cast<WORD *>(memory + 512);
static WORD *const border = reinterpret_cast<WORD *>(memory + 1024) - 1;
static WORD *const leaf =
    reinterpret_cast<WORD *>((reinterpret_cast<size_t>(large) + kLeaf) / kLeaf *
                             kLeaf) -
    1;
static WORD *const spare = reinterpret_cast<WORD *>(memory + 1536);
static long sum;

__attribute__((noinline)) static void read_three(WORD *w) {
  // READ: the word at 0x[[WORD:[0-9a-f]+]]
  // READ: Later: read of [[SIZE]] byte{{s?}} at 0x{{0*}}[[WORD]] {{.*}} in region 'victim'
  // READ-NEXT: small_runs.cpp:[[#@LINE+7]]
  // OUTSIDE: ERROR: AtomicitySanitizer: atomicity violation
  // OUTSIDE: Later: read of [[SIZE]] byte{{s?}} at {{.*}}, outside any region
  // OUTSIDE-NEXT: small_runs.cpp:[[#@LINE+4]]
  // TRACE: T2 {{.*}}read {{ *}}memory+0x[[#%x,A:]] (4 bytes) {{.*}}:[[#@LINE+3]]
  // TRACE-NEXT: T2 {{.*}}read {{ *}}memory+0x[[#%x,A+4]] (4 bytes) {{.*}}:[[#@LINE+2]]
  // TRACE-NEXT: T2 {{.*}}read {{ *}}memory+0x[[#%x,A+8]] (4 bytes) {{.*}}:[[#@LINE+1]]
  sum += w[0] + w[1] + w[2];
}

__attribute__((noinline)) static void write_three(WORD *w) {
  // WRITE: the word at 0x[[WORD:[0-9a-f]+]]
  // WRITE: Later: write of [[SIZE]] byte{{s?}} at 0x{{0*}}[[WORD]] {{.*}} in region 'victim'
  // WRITE-NEXT: small_runs.cpp:
  w[0] = 1, w[1] = 2, w[2] = 3;
}

__attribute__((noinline)) static void write_many(WORD *w) {
#pragma clang loop unroll(full)
  for (int i = 0; i < kMany; i++) w[i] = i * 3;
}

template <int kCount>
__attribute__((noinline)) static void write_down(WORD *w) {
#pragma clang loop unroll(disable) vectorize(disable)
  for (int i = kCount - 1; i >= 0; i--) w[i] = i * 3;
}

static int writes_left = 2;
static void write_and_read(WORD *w) {
  if (writes_left > 0) {
    writes_left--;
    write_three(w);
  }
  read_three(w);
}

static void read_and_write(WORD *w) {
  read_three(w);
  write_three(w);
}

static Access<WORD> touch = read_three;

int main(int argc, char **argv) {
  const int number = atoi(argv[2]);
  if (called_with(argc, argv, "outside")) {
    read_between(read_three, inside, inside, number, atoi(argv[3]));
    return 0;
  }
  WORD *w = called_with(argc, argv, "border") ? border
            : called_with(argc, argv, "leaf") ? leaf
                                              : inside;
  if (called_with(argc, argv, "writes"))
    touch = write_three;
  if (called_with(argc, argv, "both"))
    touch = write_and_read;
  const bool over = called_with(argc, argv, "over");
  if (over)
    touch = read_and_write;
  bool many = called_with(argc, argv, "many");
  if (many)
    touch = write_many;
  if (called_with(argc, argv, "down"))
    touch = write_down<3>;
  if (called_with(argc, argv, "far-down"))
    many = true, touch = write_down<kMany>;
  if (number < (many ? kMany : 3))
    fprintf(stderr, "the word at 0x%zx\n",
            reinterpret_cast<size_t>(w + number));
  const Access<WORD> read_before =
      called_with(argc, argv, "shared") ? read_three : nullptr;
  change_between(w, spare, touch, read_before, [=] {
    if (over)
      USE(w[number]);
    else
      w[number] = 7;
  });
}
