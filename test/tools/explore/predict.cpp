// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: one passing run is enough: what it predicts is forced, and the
// checker decides, with any number of threads in the first forced run.
// RUN: %clangxx_atsan -O1 -fatomicity-schedule %s -o two_stage
// RUN: printf 'atsan-schedule 1\nend\n' > usual
// RUN: env ATSAN_OPTIONS=schedule=usual ./two_stage 40
// RUN: %exits 66 %atsan explore --replays=2 -- ./two_stage 2 | FileCheck %s
// RUN: %exits 66 %atsan explore --replays=2 -- ./two_stage 40 | FileCheck %s
// CHECK: atsan explore: 2 schedules{{.*}} (1 prediction forced, 1 confirmed): 1 finding
// CHECK-NEXT: 1 atomicity violation, in schedule 2 (replayed 2 of 2 times)
// CHECK-NEXT: Region 'two stages' of T{{[0-9]+}} is not atomic
//
// Its page shows both runs, and what moved between what.
// RUN: %exits 66 %atsan report two_stage.1.sched.json --html=page > report
// RUN: FileCheck --check-prefix=PAGE --input-file=page %s
// PAGE: >recorded run</text>
// PAGE: >forced run</text>
// PAGE: <circle class="event moved"
// PAGE: <p>{{[0-9] moved between [0-9] and [0-9].*}}:</p>
//
// Nothing is predicted for the correct twin; surw searches all schedules.
// RUN: %clangxx_atsan -O1 -fatomicity-schedule -DFIXED %s -o fixed
// RUN: %atsan explore --runs=10 -- ./fixed 3 | FileCheck --check-prefix=FIXED %s
// FIXED: atsan explore: 10 schedules{{.*}}classes: nothing found
//
// An order that a flag enforces is not known to prediction, but the run that is
// forced cannot break it: nothing is reported, unless one asks for it.
// RUN: %clangxx_atsan -O1 -fatomicity-schedule -DFLAG %s -o flag
// RUN: %atsan explore --runs=10 -- ./flag 2 | FileCheck --check-prefix=FLAG %s
// RUN: %atsan explore --runs=10 --unconfirmed -- ./flag 2 | FileCheck --check-prefixes=FLAG,WHY %s
// FLAG: atsan explore: 10 schedules{{.*}} forced, 0 confirmed): nothing found
// FLAG-NOT: confirmed:
// WHY: not confirmed: {{.*}}
// WHY-NEXT: the run went another way at 'switch
//
// The second thread to look finds what the first one has made: no order of
// these events is bad. It looks again, before that is made.
// RUN: %clangxx_atsan -O1 -fatomicity-schedule -DLOOK %s -o look
// RUN: env ATSAN_OPTIONS=schedule=usual ./look 2
// RUN: %exits 66 %atsan explore --replays=2 -- ./look 2 | FileCheck --check-prefix=LOOK %s
// LOOK: atsan explore: 2 schedules{{.*}} (1 prediction forced, 1 confirmed): 1 finding
//
// Three machines force each prediction once, and find it.
// RUN: for i in 1 2 3; do %atsan explore --all --replays=1 --runs=9 --shard=$i/3 --json=$i.json -- ./two_stage 3 > /dev/null || true; done
// RUN: %exits 66 %atsan explore --merge 1.json 2.json 3.json | FileCheck --check-prefix=MERGED %s
// MERGED: (3 predictions forced, {{[1-3]}} confirmed): 1 finding
//
// The log is for a controlled run, and has to be written somewhere.
// RUN: env ATSAN_OPTIONS=schedule=usual:schedule_log=log ./two_stage 2
// RUN: head -1 log | FileCheck --check-prefix=LOG %s
// LOG: atsan-steps 1
// RUN: env ATSAN_OPTIONS=schedule=usual:schedule_log=none/log %exits 2 ./two_stage 2 2>&1 | FileCheck --check-prefix=NOWHERE %s
// NOWHERE: cannot write to 'none/log', which run-time option schedule_log names: No such file or directory
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <sanitizer/atsan.hpp>
#include <thread>
#include <vector>

static std::mutex first, second;
static int a, b;

static void write() {
  atsan::atomic_region region("two stages");
#ifdef FIXED
  std::scoped_lock guard(first, second);
  a++;
  b = a + 1;
#else
  {
    std::lock_guard<std::mutex> guard(first);
    a++;
  }
  {
    std::lock_guard<std::mutex> guard(second);
    b = a + 1;
  }
#endif
}

static std::atomic<bool> is_written;

[[maybe_unused]] static void look_then_write() {
  atsan::atomic_region region("look");
  if (!is_written)
    is_written = true;
}

int main(int, char **argv) {
  std::vector<std::thread> threads;
#ifdef FLAG
  threads.emplace_back([] {
    write();
    is_written = true;
  });
  threads.emplace_back([] {
    while (!is_written)
      std::this_thread::yield();
    write();
  });
#else
#ifdef LOOK
  const auto body = look_then_write;
#else
  const auto body = write;
#endif
  for (int i = 0; i < atoi(argv[1]); i++)
    threads.emplace_back(body);
#endif
  for (std::thread &t : threads)
    t.join();
}
