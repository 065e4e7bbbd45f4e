// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t -lpthread
// Intent: functions of oneTBB that hand work to threads, or wait for them,
// divide the regions that they are called in, also where an exception leaves
// them. (No oneTBB is needed: who is called lets the other thread run.)
// RUN: for i in run throws pipeline arena spawn submit enqueue wait pop; do %silent %t $i && env ATSAN_OPTIONS=region_splits=none %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; done
// RUN: for i in spawn submit enqueue; do env ATSAN_OPTIONS=region_splits=start %silent %t $i || exit 1; done
// RUN: env ATSAN_OPTIONS=region_splits=join %silent %t wait
// RUN: env ATSAN_OPTIONS=region_splits=wait %silent %t pop
// RUN: %clangxx_atsan -O1 -I%inputs -DOPT_OUT=ATSAN_NO_SANITIZE %s -o %t.opt_out -lpthread
// RUN: for i in run throws spawn; do %silent %t.opt_out $i || exit 1; done
// RUN: %exits 66 %t isolate 2>&1 | FileCheck %s
// RUN: %exits 66 %t caught 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Inputs/changes_twice.h"

#include <sanitizer/atsan.hpp>

#include <pthread.h>
#include <stdexcept>
#include <string>

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'meets'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}onetbb.cpp:

static bool throws;

ATSAN_TEST_HELPER void let_other_run() {
  step_begin(1);
  step_end(1);
  step_begin(3);
  if (throws)
    throw std::runtime_error("of a task");
}

// What oneTBB would be.
#define LIBRARY __attribute__((weak, noinline)) ATSAN_NO_SANITIZE
namespace tbb::detail {
namespace d1 {
struct task {};
struct task_group_context {};
struct wait_context {};
struct filter_node {};
struct task_arena_base {};
struct delegate_base {};
} // namespace d1
namespace r1 {
struct arena {};
struct concurrent_monitor {};
LIBRARY void execute_and_wait(d1::task &, d1::task_group_context &,
                              d1::wait_context &, d1::task_group_context &) {
  let_other_run();
}
LIBRARY void parallel_pipeline(d1::task_group_context &, unsigned long,
                               const d1::filter_node &) {
  let_other_run();
}
LIBRARY void execute(d1::task_arena_base &, d1::delegate_base &) {
  let_other_run();
}
LIBRARY void spawn(d1::task &, d1::task_group_context &) { let_other_run(); }
LIBRARY void submit(d1::task &, d1::task_group_context &, arena *,
                    unsigned long) {
  let_other_run();
}
LIBRARY void enqueue(d1::task &, d1::task_arena_base *) { let_other_run(); }
LIBRARY void wait(d1::wait_context &, d1::task_group_context &) {
  let_other_run();
}
LIBRARY void wait_bounded_queue_monitor(concurrent_monitor *, unsigned long,
                                        long, d1::delegate_base &) {
  let_other_run();
}
LIBRARY void isolate_within_arena(d1::delegate_base &, long) {
  let_other_run();
}
} // namespace r1
} // namespace tbb::detail

using namespace tbb::detail;

#ifndef OPT_OUT
#define OPT_OUT
#endif
OPT_OUT static void meet(const std::string &how) {
  d1::task task;
  d1::task_group_context context;
  d1::wait_context wait;
  d1::task_arena_base arena;
  d1::delegate_base work;
  if (how == "run" || throws)
    r1::execute_and_wait(task, context, wait, context);
  else if (how == "pipeline")
    r1::parallel_pipeline(context, 1, d1::filter_node());
  else if (how == "arena")
    r1::execute(arena, work);
  else if (how == "spawn")
    r1::spawn(task, context);
  else if (how == "submit")
    r1::submit(task, context, nullptr, 0);
  else if (how == "enqueue")
    r1::enqueue(task, &arena);
  else if (how == "wait")
    r1::wait(wait, context);
  else if (how == "pop")
    r1::wait_bounded_queue_monitor(nullptr, 0, 0, work);
  else
    r1::isolate_within_arena(work, 0);
}

// What the region does once more behind the exception belongs to its next part.
static void meet_and_catch(const std::string &how) {
  try {
    meet(how);
  } catch (const std::runtime_error &) {
    if (how != "caught")
      return;
    x++;
    step_begin(3);
    step_end(3);
    step_begin(5);
  }
}

int main(int, char **argv) {
  const std::string how = argv[1];
  throws = how == "throws" || how == "caught";
  pthread_t thread;
  pthread_create(&thread, nullptr, other_thread, nullptr);
  {
    atsan::atomic_region region("meets");
    x++;
    meet_and_catch(how);
    x++;
  }
  if (steps_done() < 3) {
    step_begin(3);
    step_end(3);
  }
  pthread_join(thread, nullptr);
}
