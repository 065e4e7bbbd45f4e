// RUN: %clangxx_atsan -std=c++17 -O1 -g -fatomicity-schedule %s -o %t -lpthread
// Intent: a thread that looks again and again whether something is done, under
// a lock, waits: a systematic search lets the others go on, ends, and finds
// what is wrong behind it.
// RUN: for how in lock shared; do %atsan explore --strategy=systematic -- %t $how | FileCheck --check-prefix=ALL %s || exit 1; done
// RUN: %clangxx_atsan -std=c++17 -O0 -g -fatomicity-schedule %s -o %t.O0 -lpthread
// RUN: for how in lock shared; do %atsan explore --strategy=systematic -- %t.O0 $how | FileCheck --check-prefix=ALL %s || exit 1; done
// RUN: for how in lock shared; do %exits 66 %atsan explore --strategy=systematic -- %t $how bug | FileCheck --check-prefix=BUG %s || exit 1; done
// What counts its rounds is not proven to wait, but starves nobody either.
// RUN: env ATSAN_OPTIONS=schedule_points=100000 %atsan explore --strategy=systematic --runs=5 -- %t counts | FileCheck --check-prefix=SOME %s
// ALL: all {{[0-9]+}} classes of schedules: nothing found
// BUG: 1 atomicity violation
// SOME: 5 schedules{{.*}}: nothing found
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sanitizer/atsan.hpp>

#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

static std::mutex mutex;
static std::shared_mutex shared_mutex;
static bool done;
static int x;

// Has a variable, at -O0, where later calls have others.
static bool copyOf(const bool &flag) {
  const bool copy = flag;
  return copy;
}

static bool isDone() {
  std::lock_guard<std::mutex> guard(mutex);
  return copyOf(done);
}

static bool isDoneShared() {
  std::shared_lock<std::shared_mutex> guard(shared_mutex);
  return done;
}

// Others come in between if they want to.
static void addTwice() {
  atsan::atomic_region region("adds twice");
  for (int i = 0; i < 2; i++) {
    std::lock_guard<std::mutex> guard(mutex);
    x++;
  }
}

static void finish(bool bug) {
  {
    std::lock_guard<std::mutex> guard(mutex);
    std::lock_guard<std::shared_mutex> other(shared_mutex);
    done = true;
  }
  if (bug)
    addTwice();
}

int main(int argc, char **argv) {
  const std::string how = argv[1];
  const bool bug = argc > 2;
  std::thread thread([&] { finish(bug); });
  if (how == "counts")
    for (volatile int rounds = 0; !isDone();)
      rounds = rounds + 1;
  bool (*look)() = how == "shared" ? isDoneShared : isDone;
  while (!look()) {
  }
  if (bug)
    addTwice();
  thread.join();
}
