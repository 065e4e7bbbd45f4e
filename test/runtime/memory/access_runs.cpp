// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: where one hook stands for several neighbouring accesses, each is
// found with its own address and size, and they are still one after the other.
// RUN: %clangxx_atsan -O1 -I%inputs -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck --check-prefix=HOOKS %s
// HOOKS-DAG: U __atsan_read8_run2
// HOOKS-DAG: U __atsan_read8_run3
// HOOKS-DAG: U __atsan_read8_run4
// HOOKS-DAG: U __atsan_read8_run{{$}}
// HOOKS-DAG: U __atsan_write8_run3
//
// Which word another thread changes: one of the three, or that behind.
// RUN: %exits 66 %t reads 1 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %exits 66 %t reads 2 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %silent %t reads 3
// RUN: %exits 66 %t border 1 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %exits 66 %t border 2 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %silent %t border 3
// RUN: %exits 66 %t leaf 1 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %exits 66 %t leaf 2 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %silent %t leaf 3
// RUN: %exits 66 %t shared 0 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %exits 66 %t shared 2 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %silent %t shared 3
// Two, four and five.
// RUN: %exits 66 %t reads2 1 2>&1 | FileCheck --check-prefix=OTHERS %s
// RUN: %silent %t reads2 2
// RUN: %exits 66 %t reads4 3 2>&1 | FileCheck --check-prefix=OTHERS %s
// RUN: %silent %t reads4 4
// RUN: %exits 66 %t reads5 4 2>&1 | FileCheck --check-prefix=OTHERS %s
// RUN: %silent %t reads5 5
// The region has written the words before it reads them.
// RUN: %exits 66 %t both 0 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %exits 66 %t both 2 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %silent %t both 3
// RUN: %exits 66 %t writes 1 2>&1 | FileCheck --check-prefix=WRITES %s
// RUN: %exits 66 %t writes 2 2>&1 | FileCheck --check-prefix=WRITES %s
// RUN: %silent %t writes 3
// The region has read the words before it writes them; the other thread reads.
// RUN: %exits 66 %t over 0 2>&1 | FileCheck --check-prefix=WRITES %s
// RUN: %exits 66 %t over 2 2>&1 | FileCheck --check-prefix=WRITES %s
// RUN: %silent %t over 3
// Outside regions: what a region changes before the three are read, and after.
// RUN: %exits 66 %t outside 0 1 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// RUN: %silent %t outside 1 0
// For a trace each is an event.
// RUN: env ATSAN_OPTIONS=trace=%t.trace %t outside 1 0
// RUN: %atsan trace print %t.trace | grep " T2 " | FileCheck --check-prefix=TRACE %s
// The last byte of a hook that is called with another alignment, and the next.
// RUN: %exits 66 %t unaligned 3 2>&1 | FileCheck --check-prefix=UNALIGNED %s
// RUN: %silent %t unaligned 4
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "access_between.hpp"

struct Words {
  long a, b, c, d, e, f;
};
// Some are on both sides of the border of a page of the shadow.
alignas(1024) static char memory[2048];
// Some are on both sides of the border of a leaf of the shadow.
constexpr size_t kLeaf = 16 << 20;
static char large[2 * kLeaf];
static Words *const inside = reinterpret_cast<Words *>(memory + 512);
static Words *const border = reinterpret_cast<Words *>(memory + 1008);
static Words *const leaf = reinterpret_cast<Words *>(
    (reinterpret_cast<size_t>(large) + kLeaf) / kLeaf * kLeaf - 8);
static Words *const spare = reinterpret_cast<Words *>(memory + 1536);
static long sum;

extern "C" void __atsan_write8_run(void *first, unsigned count);

__attribute__((noinline)) static void read_three(Words *w) {
  // READS: the word at 0x[[WORD:[0-9a-f]+]]
  // READS: Later: read of 8 bytes at 0x{{0*}}[[WORD]] {{.*}} in region 'victim'
  // READS-NEXT: access_runs.cpp:[[#@LINE+7]]
  // OUTSIDE: ERROR: AtomicitySanitizer: atomicity violation
  // OUTSIDE: Later: read of 8 bytes at {{.*}}, outside any region
  // OUTSIDE-NEXT: access_runs.cpp:[[#@LINE+4]]
  // TRACE: T2 {{.*}}read {{ *}}memory+0x[[#%x,A:]] (8 bytes) {{.*}}:[[#@LINE+3]]
  // TRACE-NEXT: T2 {{.*}}read {{ *}}memory+0x[[#%x,A+8]] (8 bytes) {{.*}}:[[#@LINE+2]]
  // TRACE-NEXT: T2 {{.*}}read {{ *}}memory+0x[[#%x,A+16]] (8 bytes) {{.*}}:[[#@LINE+1]]
  sum += w->a + w->b + w->c;
}

// OTHERS: the word at 0x[[WORD:[0-9a-f]+]]
// OTHERS: Later: read of 8 bytes at 0x{{0*}}[[WORD]] {{.*}} in region 'victim'
// OTHERS-NEXT: access_runs.cpp:
__attribute__((noinline)) static void read_two(Words *w) { sum += w->a + w->b; }

__attribute__((noinline)) static void read_four(Words *w) {
  sum += w->a + w->b + w->c + w->d;
}

__attribute__((noinline)) static void read_five(Words *w) {
  sum += w->a + w->b + w->c + w->d + w->e;
}

__attribute__((noinline)) static void write_three(Words *w) {
  // WRITES: the word at 0x[[WORD:[0-9a-f]+]]
  // WRITES: Later: write of 8 bytes at 0x{{0*}}[[WORD]] {{.*}} in region 'victim'
  // WRITES-NEXT: access_runs.cpp:[[#@LINE+1]]
  w->a = 1, w->b = 2, w->c = 3;
}

// UNALIGNED: Later: write of 8 bytes at 0x{{[0-9a-f]+}}c {{.*}} in region 'victim'
static void write_unaligned(Words *w) {
  w->a = w->b = 0;
  __atsan_write8_run(reinterpret_cast<char *>(w) + 4, 2);
}

// The spare ones, and those that another thread changes.
static int writes_left = 2;
static void write_and_read(Words *w) {
  if (writes_left > 0) {
    writes_left--;
    write_three(w);
  }
  read_three(w);
}

static void read_and_write(Words *w) {
  read_three(w);
  write_three(w);
}

static Access<Words> access_three = read_three;

int main(int argc, char **argv) {
  int number = atoi(argv[2]);
  if (called_with(argc, argv, "outside")) {
    read_between(read_three, inside, &inside->a, number, atoi(argv[3]));
    return 0;
  }
  if (called_with(argc, argv, "unaligned")) {
    access_three = write_unaligned;
    change_between(inside, spare, access_three, Access<Words>(),
                   [=] { reinterpret_cast<char *>(&inside->c)[number] = 1; });
    return 0;
  }
  Words *w = called_with(argc, argv, "border") ? border
             : called_with(argc, argv, "leaf") ? leaf
                                               : inside;
  if (called_with(argc, argv, "writes"))
    access_three = write_three;
  if (called_with(argc, argv, "both"))
    access_three = write_and_read;
  bool over = called_with(argc, argv, "over");
  if (over)
    access_three = read_and_write;
  int words = 3;
  if (called_with(argc, argv, "reads2"))
    access_three = read_two, words = 2;
  if (called_with(argc, argv, "reads4"))
    access_three = read_four, words = 4;
  if (called_with(argc, argv, "reads5"))
    access_three = read_five, words = 5;
  if (number < words)
    fprintf(stderr, "the word at 0x%zx\n",
            reinterpret_cast<size_t>(&w->a + number));
  const Access<Words> read_before =
      called_with(argc, argv, "shared") ? read_three : nullptr;
  change_between(w, spare, access_three, read_before, [=] {
    if (over)
      USE((&w->a)[number]);
    else
      (&w->a)[number] = 7;
  });
}
