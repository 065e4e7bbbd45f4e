// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx_atsan -O1 -g -DLIBRARY -c %s -o without.o
// RUN: %clangxx_atsan -O1 -g -fatomicity-schedule -DLIBRARY -c %s -o with.o
// RUN: for w in with without; do %clangxx_atsan -O1 -g -fatomicity-schedule %s $w.o -o $w || exit 1; done
// RUN: %clangxx_atsan -O1 -g %s without.o -o none
// Intent: where a part of the program has no points, no search says that it has
// seen all; where nothing has, or no run has a second thread, nothing was
// checked.
// RUN: %exits 66 %atsan explore --strategy=systematic --replays=2 -- ./with | FileCheck --check-prefix=FOUND %s
// FOUND: 1 atomicity violation
// RUN: for s in systematic surw; do %atsan explore --strategy=$s --runs=9 -- ./without || exit 1; done > out
// RUN: FileCheck --check-prefix=PART --implicit-check-not="all {{[0-9]}}" --input-file=out %s
// PART: nothing found
// PART-NEXT: the search is not complete: a part of the program was compiled without -fatomicity-schedule, and threads are not switched there; compile all with it
// PART: nothing found
// PART-NEXT: a part of the program was compiled without -fatomicity-schedule
// RUN: %exits 2 %atsan explore --strategy=systematic --runs=9 -- ./none 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: no access was under control; build the program with -fsanitize=atomicity -fatomicity-schedule
// RUN: %exits 2 %atsan explore --runs=9 -- ./with alone 2>&1 | FileCheck --check-prefix=ALONE %s
// ALONE: error: nothing was checked: no run of the test has started a second thread; name one that does
// RUN: env ATSAN_OPTIONS=schedule=with.1.sched %exits 2 ./none 2>&1 | FileCheck --check-prefix=REPLAY %s
// REPLAY: the program was compiled without -fatomicity-schedule; give the option to all of it
// RUN: env ATSAN_OPTIONS=schedule_strategy=pct %exits 0 ./none 2>&1 | FileCheck --check-prefix=STRATEGY %s
// STRATEGY: WARNING: AtomicitySanitizer: schedule_strategy controls no access: the program was compiled without -fatomicity-schedule; give the option to all of it
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifdef LIBRARY
static int Count;
int get() { return Count; }
void set(int New) { Count = New; }
#else
#include <sanitizer/atsan.hpp>
#include <string.h>
#include <thread>

int get();
void set(int New);

char Buffer[64];
size_t Size = sizeof(Buffer);

static void count() {
  // Where memory is filled or copied there are points in any program.
  memset(Buffer, 1, Size);
  atsan::atomic_region Region("count");
  set(get() + 1);
}

int main(int argc, char **) {
  if (argc > 1) {
    count();
    return 0;
  }
  std::thread One(count), Two(count);
  One.join();
  Two.join();
}
#endif
