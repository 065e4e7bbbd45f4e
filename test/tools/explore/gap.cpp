// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: a systematic search that has not seen all says what was in its way.
// RUN: for w in CUT GUESS UNNAMED FEW; do %clangxx_atsan -O1 -fatomicity-schedule -D$w %s -o $w || exit 1; done
// RUN: for w in CUT GUESS UNNAMED; do %atsan explore --strategy=systematic -- ./$w || exit 1; done | grep -v 'no region' > out
// RUN: FileCheck --input-file=out %s
// CHECK: schedule{{.*}}: nothing found
// CHECK-NEXT: the search is not complete: a run ended while threads could still go on, as by exit()
// CHECK-NEXT: schedules{{.*}}: nothing found
// CHECK-NEXT: the search is not complete: a thread seemed to wait in a loop
// CHECK-NEXT: schedules{{.*}}: nothing found
// CHECK-NEXT: the search is not complete: a thread could go on by something that is no step
// RUN: %atsan explore --strategy=systematic --runs=1 --json=1.json -- ./FEW | FileCheck --check-prefix=RUNS %s
// RUNS: atsan explore: 1 schedule{{.*}}: nothing found
// RUNS-NEXT: the search is not complete: the runs or seconds are over; allow more by --runs or --seconds
// RUN: %atsan explore --merge 1.json | FileCheck --check-prefix=RUNS %s
// The twin: whoever has seen all, or never meant to, has nothing to explain.
// RUN: %atsan explore --strategy=systematic -- ./FEW > all; %atsan explore --strategy=random --runs=1 -- ./FEW >> all; sed -i '/no region/d' all
// RUN: FileCheck --check-prefix=ALL --implicit-check-not=complete --input-file=all %s
// ALL: atsan explore: all {{[0-9]+}} classes of schedules: nothing found
// ALL-NEXT: atsan explore: 1 schedule
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::atomic<int> number;
static std::once_flag once;
static std::mutex lock;
static int failures;

static void add() { number++; }

/// The thread that waits for the first one's attempt makes the second.
static void callOnce() {
  try {
    std::call_once(once, [] {
      std::lock_guard<std::mutex> guard(lock);
      if (failures++ == 0)
        throw std::runtime_error("first attempt");
    });
  } catch (const std::runtime_error &) {
  }
  std::lock_guard<std::mutex> guard(lock);
  failures++;
}

static void waitSomeRounds() {
  for (int i = 0; i < 1000 && !number; i++) {
  }
}

int main() {
#if defined(CUT)
  std::thread(add).detach();
  number++;
  exit(0);
#elif defined(GUESS)
  std::thread a(waitSomeRounds);
  add();
  a.join();
#elif defined(UNNAMED)
  std::thread a(callOnce), b(callOnce), c(callOnce);
  a.join();
  b.join();
  c.join();
#else
  std::thread a(add), b(add);
  a.join();
  b.join();
#endif
}
