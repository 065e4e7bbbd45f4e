// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: a thread that spins in code without points, and pauses, lets others
// go on: the lock in a std::atomic<std::shared_ptr>, and one of the program's
// own that is opted out. A systematic search sees all orders of them,
// but for who destroys what the pointer pointed to.
// RUN: for o in -O0 -O2; do %clangxx_atsan -std=c++20 $o -fatomicity-schedule %s -o test$o || exit 1; done
// RUN: for o in -O0 -O2; do %exits 66 %atsan explore --strategy=surw --runs=200 --replays=2 --timeout=20 -- ./test$o pointer bug | FileCheck --check-prefix=BUG %s || exit 1; done
// RUN: for o in -O0 -O2; do for w in pointer lock; do %atsan explore --strategy=surw --runs=50 --timeout=20 -- ./test$o $w | FileCheck --check-prefix=TWIN %s || exit 1; done; done
// RUN: for o in -O0 -O2; do %atsan explore --strategy=systematic --timeout=20 -- ./test$o pointer | FileCheck --check-prefix=POINTER %s || exit 1; done
// RUN: for o in -O0 -O2; do %atsan explore --strategy=systematic --timeout=20 -- ./test$o lock | FileCheck --check-prefix=LOCK %s || exit 1; done
// BUG: 1 atomicity violation
// BUG-NEXT: Region 'add' of T{{[12]}} is not atomic
// TWIN: 50 schedules{{.*}}: nothing found
// POINTER: the search is not complete: {{.*}} destroys an object that they share
// LOCK: atsan explore: all {{[0-9]+}} classes of schedules: nothing found
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <memory>
#include <sanitizer/atsan.hpp>
#include <string>
#include <thread>

static bool bug;
static std::atomic<std::shared_ptr<int>> pointer;
static bool is_locked;
static int number;

ATSAN_NO_SANITIZE static void lock() {
  while (__atomic_exchange_n(&is_locked, true, __ATOMIC_SEQ_CST))
    asm volatile("rep; nop" ::: "memory");
}

ATSAN_NO_SANITIZE static void unlock() {
  __atomic_store_n(&is_locked, false, __ATOMIC_SEQ_CST);
}

// One look at the pointer in a region is as good as none.
static void addToPointer() {
  atsan::atomic_region region("add");
  const std::shared_ptr<int> old = pointer;
  if (bug)
    pointer = std::make_shared<int>(*old + 1);
}

static void addUnderLock() {
  atsan::atomic_region region("add");
  lock();
  int before = number;
  number = before + 1;
  unlock();
}

int main(int argc, char **argv) {
  const std::string how = argv[1];
  bug = argc > 2;
  pointer = std::make_shared<int>(1);
  auto run = [&] { how == "pointer" ? addToPointer() : addUnderLock(); };
  std::thread a(run);
  std::thread b([&] {
    if (how == "pointer")
      pointer = std::make_shared<int>(3);
    else
      addUnderLock();
  });
  a.join();
  b.join();
}
