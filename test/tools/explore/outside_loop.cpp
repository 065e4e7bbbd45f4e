// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: a loop that waits, and calls what has no points, may end by what that
// counts: a systematic search says that it is not complete. The twin calls what
// is known, or is instrumented, in this file or in another one.
// RUN: for o in -O0 -O2; do %clangxx_atsan $o -fatomicity-schedule -DOTHER -c %s -o other$o.o && %clangxx_atsan $o -fatomicity-schedule %s other$o.o -o test$o || exit 1; done
// RUN: for o in -O0 -O2; do for w in opted-out libc by-pointer seed processor; do %atsan explore --strategy=systematic -- ./test$o $w || exit 1; done; done > left
// RUN: FileCheck --check-prefix=LEFT --implicit-check-not=all --input-file=left %s
// RUN: for o in -O0 -O2; do for w in known other virtual; do %atsan explore --strategy=systematic -- ./test$o $w || exit 1; done; done > seen
// RUN: FileCheck --check-prefix=SEEN --implicit-check-not=complete --input-file=seen %s
// LEFT-COUNT-10: the search is not complete: a loop that waits runs code without instrumentation
// SEEN-COUNT-6: atsan explore: all {{[0-9]+}} classes of schedules: nothing found
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>

extern std::atomic<bool> flag;
bool isSet();

#ifdef OTHER
std::atomic<bool> flag;
bool isSet() { return flag; }
#else

#include <cstdlib>
#include <cstring>
#include <sanitizer/atsan.hpp>
#include <thread>

struct Waiting {
  virtual ~Waiting() = default;
  virtual bool isDone() const { return flag; }
};

ATSAN_NO_SANITIZE static bool isTired() {
  static int asked;
  return ++asked > 100000;
}

static unsigned seed;
static bool (*volatile tired)() = isTired;

static void waitFor(const char *how, const Waiting &w) {
  if (!strcmp(how, "opted-out"))
    while (!flag && !isTired())
      ;
  else if (!strcmp(how, "libc"))
    while (!flag && rand() != 1)
      ;
  else if (!strcmp(how, "by-pointer"))
    while (!flag && !tired())
      ;
  else if (!strcmp(how, "seed"))
    while (!flag && rand_r(&seed) != 1)
      ;
  else if (!strcmp(how, "processor"))
    while (!flag && __builtin_ia32_rdtsc() != 1)
      ;
  else if (!strcmp(how, "known"))
    while (!flag)
      std::this_thread::yield();
  else if (!strcmp(how, "other"))
    while (!isSet())
      ;
  else
    while (!w.isDone())
      ;
}

int main(int, char **argv) {
  int data = 0;
  std::thread a([&, w = new Waiting] {
    waitFor(argv[1], *w);
    atsan::atomic_region region("after");
    data++;
    delete w;
  });
  std::thread b([&] {
    data++;
    flag = true;
  });
  a.join();
  b.join();
}
#endif
