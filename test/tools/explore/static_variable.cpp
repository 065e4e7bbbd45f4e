// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: which thread initializes a static variable of a function, and who
// finds it initialized, are choices that a systematic search tries; its number
// of classes is that of the orders.
// RUN: for o in -O0 -O2; do %clangxx_atsan $o -fatomicity-schedule %s -o test$o || exit 1; done
// RUN: for o in -O0 -O2; do for w in first thrown locked library; do %exits 66 %atsan explore --strategy=systematic --replays=2 --timeout=30 -- ./test$o $w bug || exit 1; done; done > bugs
// RUN: FileCheck --input-file=bugs %s
// RUN: for o in -O0 -O2; do for w in first thrown locked library; do %atsan explore --strategy=systematic --timeout=30 -- ./test$o $w || exit 1; done; done > twins
// RUN: FileCheck --check-prefix=TWINS --implicit-check-not="not complete" --input-file=twins %s
// The library of the C++ ABI may be in the program.
// RUN: %clangxx_atsan -static-libstdc++ -O1 -fatomicity-schedule %s -o static
// RUN: for w in first locked; do %exits 66 %atsan explore --strategy=systematic --replays=2 --timeout=30 -- ./static $w bug || exit 1; done
// CHECK-COUNT-2: 1 failed test, in schedule {{[0-9]+}} (replayed 2 of 2 times)
// CHECK: 1 deadlock, in schedule {{[0-9]+}} (replayed 2 of 2 times)
// CHECK: waits in {{.*}}behindLock() for the initialization behind {{.*}}'guard variable for {{.*}}behindLock()::value'
// CHECK: 1 failed test, in schedule {{[0-9]+}} (replayed 2 of 2 times)
// TWINS-COUNT-8: all {{[0-9]+}} classes of schedules: nothing found
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mutex>
#include <sanitizer/atsan.hpp>
#include <stdexcept>
#include <string>
#include <thread>

// Where nobody controls the threads, the first one comes first.
extern "C" unsigned __atsan_scheduled;

static bool bug, failed;

template <class First, class Second> static void both(First f, Second s) {
  if (!__atsan_scheduled) {
    f();
    return s();
  }
  std::thread a(f);
  std::thread b(s);
  a.join();
  b.join();
}

static __attribute__((noinline)) int number(int n) { return bug ? n : 1; }
static __attribute__((noinline)) int initializedByFirst(int n) {
  static const int value = number(n);
  return value;
}
static void first() {
  both([] { initializedByFirst(1); }, [] { initializedByFirst(2); });
  failed = initializedByFirst(3) != 1;
}

// A thread whose initializer throws leaves the variable to the next thread.
static int numberUnless(bool fails) {
  if (fails)
    throw std::runtime_error("fails");
  return 1;
}
static bool initialize(bool fails) {
  try {
    static const int value = numberUnless(fails);
    return value;
  } catch (const std::runtime_error &) {
    return false;
  }
}
static void thrown() {
  bool second = true;
  both([] { initialize(false); }, [&] { second = initialize(true) || !bug; });
  failed = !second;
}

// One thread initializes, for which it needs the lock; another one has the
// lock, and waits for the initialization.
static std::recursive_mutex lock;
static int underLock() {
  std::lock_guard<std::recursive_mutex> guard(lock);
  return 1;
}
static int behindLock() {
  static const int value = underLock();
  return value;
}
static void locked() {
  both([] { behindLock(); },
       [] {
         std::unique_lock<std::recursive_mutex> guard(lock, std::defer_lock);
         if (bug)
           guard.lock();
         behindLock();
       });
}

ATSAN_NO_SANITIZE static int optedOut(int n) {
  static const int value = number(n);
  return value;
}
static void library() {
  both([] { optedOut(1); }, [] { optedOut(2); });
  failed = optedOut(3) != 1;
}

int main(int argc, char **argv) {
  const std::string how = argv[1];
  bug = argc > 2;
  if (how == "first")
    first();
  else if (how == "thrown")
    thrown();
  else if (how == "library")
    library();
  else
    locked();
  return failed;
}
