// RUN: %clangxx_atsan -std=c++20 -O1 -I%inputs %s -o %t
// Intent: a coroutine's accesses are those of the thread that resumes it. A
// region inside one part of it is checked as ever; one that is open across a
// suspension and ends on another thread is reported as what it is. With a fiber
// per coroutine, a region may span suspensions.
// RUN: %silent %t part
// RUN: %exits 66 %t part bad 2>&1 | FileCheck %s
// RUN: %exits 66 %t across 2>&1 | FileCheck --check-prefix=ACROSS %s
// RUN: %silent %t across fiber
// RUN: %exits 66 %t across fiber bad 2>&1 | FileCheck --check-prefix=FIBER %s
// CHECK: region 'part'
// CHECK: SUMMARY: {{.*}}coroutines.cpp
// ACROSS: without a matching
// ACROSS: SUMMARY: AtomicitySanitizer: region-end-without-begin {{.*}}coroutines.cpp
// FIBER: region 'across'
// FIBER: SUMMARY: {{.*}}coroutines.cpp
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <coroutine>

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
  void *fiber = nullptr;

  void resume() {
    void *caller = __atsan_get_current_fiber();
    if (fiber)
      __atsan_switch_to_fiber(fiber, 0);
    handle.resume();
    if (fiber)
      __atsan_switch_to_fiber(caller, 0);
  }
};

int x, unrelated;

static Task part(bool) {
  co_await std::suspend_always();
  atsan::atomic_region region("part");
  STEP(1) USE(x);
  STEP(3) USE(x);
}

static Task across(bool with_fiber) {
  atsan::atomic_region region("across");
  if (with_fiber)
    STEP(1) USE(x);
  co_await std::suspend_always();
  if (with_fiber)
    STEP(3) USE(x);
}

int main(int argc, char **argv) {
  bool with_fiber = called_with(argc, argv, "fiber");
  int *target = either(called_with(argc, argv, "bad"), &x, &unrelated);
  bool is_part = called_with(argc, argv, "part");
  Task task = is_part ? part(with_fiber) : across(with_fiber);
  if (with_fiber)
    task.fiber = __atsan_create_fiber(0);
  task.resume();
  if (!is_part && !with_fiber) {
    in_parallel([&] { task.resume(); });
    return 0;
  }
  in_parallel([&] { task.resume(); },
              [&] {
                STEP(2) *target = 1;
              });
  task.handle.destroy();
  if (with_fiber)
    __atsan_destroy_fiber(task.fiber);
}
