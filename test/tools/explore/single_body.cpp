// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: functions that cannot have two bodies have points in their only one:
// coroutines, those with a table of their blocks, and those with both a
// variable number of arguments and a copy on the stack; and what they call.
// RUN: for o in -O0 -O2; do %clangxx_atsan -std=c++20 $o -fatomicity-schedule %s -o bug$o && %clangxx_atsan -std=c++20 $o -fatomicity-schedule -DFIXED %s -o fixed$o || exit 1; done
// RUN: for o in -O0 -O2; do for w in coroutine called table copies; do %exits 66 %atsan explore --strategy=systematic -- ./bug$o $w | FileCheck --check-prefix=BUG %s || exit 1; done; done
// RUN: for o in -O0 -O2; do for w in coroutine called table copies; do %atsan explore --strategy=systematic -- ./fixed$o $w | FileCheck --check-prefix=FIXED %s || exit 1; done; done
// BUG: Region 'add' of T{{[12]}} is not atomic
// FIXED: all {{([2-9]|[1-9][0-9]+)}} classes of schedules: nothing found
// By itself, it is told of as any other.
// RUN: for o in -O0 -O2; do for w in coroutine called table copies; do %silent ./bug$o $w in-turn || exit 1; done; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <coroutine>
#include <cstdarg>
#include <mutex>
#include <sanitizer/atsan.hpp>
#include <string>
#include <thread>

static std::mutex mutex;
static int number;

struct Task {
  struct promise_type {
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

struct Large {
  int values[20];
};

#ifdef FIXED
#define GUARD() std::lock_guard<std::mutex> guard(mutex)
#else
#define GUARD() (void)mutex
#endif

static Task coroutine() {
  {
    atsan::atomic_region region("add");
    GUARD();
    int before = number;
    number = before + 1;
  }
  co_return;
}

__attribute__((noinline)) static void add(int n) {
  GUARD();
  int before = number;
  number = before + n;
}

static Task calling() {
  {
    atsan::atomic_region region("add");
    add(1);
  }
  co_return;
}

// The table outside of the function has the addresses of its blocks.
static void table(int n) {
  static const void *const steps[] = {&&read, &&write};
  atsan::atomic_region region("add");
  GUARD();
  int before = 0, step = 0;
  goto *steps[step++];
read:
  before = number;
  goto *steps[step++];
write:
  number = before + n;
}

static void copies(Large large, ...) {
  va_list list;
  va_start(list, large);
  atsan::atomic_region region("add");
  GUARD();
  int before = number;
  number = before + large.values[3] + va_arg(list, int);
  va_end(list);
}

static void run(const std::string &how) {
  if (how == "coroutine" || how == "called") {
    Task task = how == "called" ? calling() : coroutine();
    task.handle.resume();
    task.handle.destroy();
  } else if (how == "table") {
    table(1);
  } else {
    copies(Large{}, 1);
  }
}

int main(int argc, char **argv) {
  const std::string how = argv[1];
  std::thread a([&] { run(how); });
  if (argc > 2)
    a.join();
  std::thread b([&] { run(how); });
  if (argc <= 2)
    a.join();
  b.join();
}
