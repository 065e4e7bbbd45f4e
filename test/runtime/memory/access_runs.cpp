// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: where one hook stands for several neighbouring accesses, each is
// found with its own address and size, and they are still one after the other.
// RUN: %clangxx_atsan -O1 -I%inputs -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck --check-prefix=HOOKS %s
// HOOKS-DAG: U __atsan_read8_run
// HOOKS-DAG: U __atsan_write8_run
//
// Which word another thread changes: one of the three, or that behind.
// RUN: %exits 66 %t reads 1 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %exits 66 %t reads 2 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %silent %t reads 3
// RUN: %exits 66 %t border 1 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %exits 66 %t border 2 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %silent %t border 3
// RUN: %exits 66 %t shared 0 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %exits 66 %t shared 2 2>&1 | FileCheck --check-prefix=READS %s
// RUN: %silent %t shared 3
// RUN: %exits 66 %t writes 1 2>&1 | FileCheck --check-prefix=WRITES %s
// RUN: %exits 66 %t writes 2 2>&1 | FileCheck --check-prefix=WRITES %s
// RUN: %silent %t writes 3
// Outside regions: what a region changes before the three are read, and after.
// RUN: %exits 66 %t outside 0 1 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// RUN: %silent %t outside 1 0
// For a trace each is an event.
// RUN: env ATSAN_OPTIONS=trace=%t.trace %t outside 1 0
// RUN: %atsan trace print %t.trace | FileCheck --check-prefix=TRACE %s
// The last byte of a hook that is called with another alignment, and the next.
// RUN: %exits 66 %t unaligned 3 2>&1 | FileCheck --check-prefix=UNALIGNED %s
// RUN: %silent %t unaligned 4
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

struct Words {
  long a, b, c, d;
};
// Some are on both sides of the border of a page of the shadow.
alignas(1024) static char memory[2048];
static Words *const inside = reinterpret_cast<Words *>(memory + 512);
static Words *const border = reinterpret_cast<Words *>(memory + 1008);
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
  // TRACE: T2 {{.*}}read {{ *}}0x[[#%x,A:]] (8 bytes) {{.*}}:[[#@LINE+3]]
  // TRACE-NEXT: T2 {{.*}}read {{ *}}0x[[#%x,A+8]] (8 bytes) {{.*}}:[[#@LINE+2]]
  // TRACE-NEXT: T2 {{.*}}read {{ *}}0x[[#%x,A+16]] (8 bytes) {{.*}}:[[#@LINE+1]]
  sum += w->a + w->b + w->c;
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

static void (*access_three)(Words *w) = read_three;
static volatile int count = 3;

// The first time the location becomes known; the third, all is recorded.
__attribute__((noinline)) static void access_often(Words *w) {
  Words *list[] = {spare, w, w};
  for (int i = 0; i < count; i++) access_three(list[i]);
}

// If `shared`, two other regions read the same before.
template <class Change>
static void change_between(Words *w, bool shared, Change change) {
  auto reader = [=](int step) {
    atsan::atomic_region region("reader");
    step_begin(step);
    if (shared)
      read_three(w);
    step_end(step);
    while (steps_done() < 5) sched_yield();
  };
  in_parallel([=] { reader(1); }, [=] { reader(2); },
              [=] {
                atsan::atomic_region region("victim");
                for (int step = 3; step <= count + 2; step += 2) {
                  step_begin(step);
                  access_often(w);
                  step_end(step);
                }
              },
              [=] {
                STEP(4) change();
              });
}

static void read_between(Words *w, int before, int after) {
  in_parallel(
      [=] {
        atsan::atomic_region region("writer");
        STEP(1) (&w->a)[before] = 1;
        STEP(3) (&w->a)[after] = 1;
      },
      [=] {
        STEP(2) read_three(w);
      });
}

int main(int argc, char **argv) {
  int number = atoi(argv[2]);
  if (called_with(argc, argv, "outside")) {
    read_between(inside, number, atoi(argv[3]));
    return 0;
  }
  if (called_with(argc, argv, "unaligned")) {
    access_three = write_unaligned;
    change_between(inside, false,
                   [=] { reinterpret_cast<char *>(&inside->c)[number] = 1; });
    return 0;
  }
  Words *w = called_with(argc, argv, "border") ? border : inside;
  if (called_with(argc, argv, "writes"))
    access_three = write_three;
  if (number < 3)
    fprintf(stderr, "the word at 0x%zx\n",
            reinterpret_cast<size_t>(&w->a + number));
  change_between(w, called_with(argc, argv, "shared"),
                 [=] { (&w->a)[number] = 7; });
}
