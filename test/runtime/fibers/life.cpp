// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: thousands of fibers with
// regions open while they wait, in a process that forks: no crash, no report,
// no leftover. Creation and destruction are start and join: they divide a
// region (region_splits), or else are edges.
// RUN: %silent %t many
// RUN: %silent %t fork
// RUN: %silent %t start
// RUN: env ATSAN_OPTIONS=region_splits=none %exits 66 %t start 2>&1 | FileCheck %s
// RUN: %exits 66 %t misuse 2>&1 | FileCheck --check-prefix=MISUSE %s
// RUN: for what in destroy switch; do %exits 66 %t $what-null 2>&1 | FileCheck --check-prefix=NULL %s || exit 1; done
// CHECK: region 'creator'
// CHECK: thread start by the main thread, in region 'creator'
// MISUSE: ERROR: AtomicitySanitizer: {{.*}}__atsan_destroy_fiber() of the running fiber
// MISUSE: SUMMARY: AtomicitySanitizer: fiber-misuse {{.*}}life.cpp
// NULL: ERROR: AtomicitySanitizer: {{.*}}_fiber() {{of|to}} a null pointer
// NULL: SUMMARY: AtomicitySanitizer: fiber-misuse {{.*}}life.cpp
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <vector>

struct Fiber {
  explicit Fiber(void (*function)()) : stack(1 << 15) {
    getcontext(&context);
    context.uc_stack.ss_sp = stack.data();
    context.uc_stack.ss_size = stack.size();
    makecontext(&context, function, 0);
    fiber = __atsan_create_fiber(0);
  }
  ~Fiber() { __atsan_destroy_fiber(fiber); }
  void run();
  std::vector<char> stack;
  ucontext_t context;
  void *fiber;
};

static ucontext_t back;
static void *main_fiber;
static Fiber *current;
int mine[4096], x;

// A scheduler's own data is data like any other.
ATSAN_NO_SANITIZE void Fiber::run() {
  current = this;
  main_fiber = __atsan_get_current_fiber();
  __atsan_switch_to_fiber(fiber, 0);
  swapcontext(&back, &context);
}

ATSAN_NO_SANITIZE static void yield() {
  Fiber *self = current;
  __atsan_switch_to_fiber(main_fiber, 0);
  swapcontext(&self->context, &back);
}

static void use_own() {
  static int next;
  int *own = &mine[next++ % 4096];
  atsan::atomic_region region("waits");
  for (;;) {
    ++*own;
    yield();
  }
}

static void write_x() {
  x = 1;
  yield();
}

static int many() {
  for (int wave = 0; wave < 10; wave++) {
    std::vector<Fiber *> fibers;
    for (int i = 0; i < 200; i++) fibers.push_back(new Fiber(use_own));
    for (int round = 0; round < 3; round++)
      for (Fiber *fiber : fibers) fiber->run();
    for (Fiber *fiber : fibers) delete fiber;
  }
  return 0;
}

static int in_child() {
  Fiber before(use_own);
  before.run();
  pid_t child = fork();
  before.run();
  Fiber after(use_own);
  after.run();
  int status = 0;
  if (child)
    waitpid(child, &status, 0);
  return status;
}

int main(int argc, char **argv) {
  if (called_with(argc, argv, "many"))
    return many();
  if (called_with(argc, argv, "fork"))
    return in_child();
  if (called_with(argc, argv, "misuse"))
    __atsan_destroy_fiber(__atsan_get_current_fiber());
  if (called_with(argc, argv, "destroy-null"))
    __atsan_destroy_fiber(nullptr);
  if (called_with(argc, argv, "switch-null"))
    __atsan_switch_to_fiber(nullptr, 0);
  if (called_with(argc, argv, "start")) {
    // The fiber's write is after its start and before the last read.
    atsan::atomic_region region("creator");
    Fiber fiber(write_x);
    fiber.run();
    USE(x);
  }
}
