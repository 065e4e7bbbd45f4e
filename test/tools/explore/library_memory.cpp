// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: functions of libc that access memory of several threads are steps, in
// whatever form the optimizer would like to have them, and so are accesses of
// the program that meet such a call: schedules that differ in their order only
// are looked at, and replayed. The twins share nothing, or lock.
// RUN: for o in -O0 -O2; do %clangxx_atsan $o -fatomicity-schedule %s -o test$o || exit 1; done
// RUN: for o in -O0 -O2; do for w in append copy; do for s in systematic surw predict; do %exits 66 %atsan explore --strategy=$s --runs=300 --replays=2 -- ./test$o $w || exit 1; done; done; done > bugs
// RUN: FileCheck --input-file=bugs %s
// CHECK-COUNT-12: 1 atomicity violation, in schedule {{[0-9]+}} (replayed 2 of 2 times)
// RUN: for o in -O0 -O2; do for s in systematic surw; do %exits 66 %atsan explore --strategy=$s --runs=300 --replays=2 -- ./test$o meet || exit 1; done; done > met
// RUN: FileCheck --check-prefix=MET --input-file=met %s
// MET-COUNT-4: 1 failed test, in schedule {{[0-9]+}} (replayed 2 of 2 times)
// RUN: for o in -O0 -O2; do for w in locked apart met-in-order; do %atsan explore --strategy=systematic -- ./test$o $w || exit 1; done; done > twins
// RUN: FileCheck --check-prefix=TWINS --implicit-check-not='not complete' --input-file=twins %s
// TWINS-COUNT-6: {{all [0-9]+ classes|the only class}} of schedules: nothing found
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sanitizer/atsan.hpp>
#include <thread>

// Where nobody controls the threads, nothing fails.
extern "C" unsigned __atsan_scheduled;

static char text[64] = "x";
static bool isWrong;
static std::mutex mutex;

static void append(const char *more) {
  atsan::atomic_region region("append");
  std::strcpy(text + std::strlen(text), more);
}

static void run(const char *how, bool is_first) {
  if (!std::strcmp(how, "append")) {
    append("a");
  } else if (!std::strcmp(how, "locked")) {
    std::lock_guard<std::mutex> lock(mutex);
    append("a");
  } else if (!std::strcmp(how, "copy")) {
    // The optimizer knows what these two do if nobody comes in between.
    atsan::atomic_region region("copy");
    std::strcpy(text, "one");
    char own[64];
    std::strcpy(own, text);
    if (own[0] == 0)
      std::exit(1);
  } else if (!std::strcmp(how, "apart")) {
    char own[64];
    std::snprintf(own, sizeof(own), "thread %d", is_first);
    std::printf("%s, %zu\n", own, std::strlen(own));
  } else if (is_first) {
    // Only in between the text is longer. The optimizer must keep both.
    __atomic_store_n(&text[1], 'y', __ATOMIC_RELAXED);
    __atomic_store_n(&text[1], 0, __ATOMIC_RELAXED);
  } else if (std::strlen(text) == 2 && !std::strcmp(how, "meet")) {
    isWrong = __atsan_scheduled;
  }
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "append";
  std::thread first(run, how, true), second(run, how, false);
  first.join();
  second.join();
  return isWrong;
}
