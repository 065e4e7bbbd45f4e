// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a new thread does not come after a dead one, in program order,
// because it has got its identifier; although one region is open all the time
// and hundreds of threads come and go in it. The same two accesses by one
// thread are a violation.
// RUN: %silent %t two
// RUN: %exits 66 %t one 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <dirent.h>
#include <pthread.h>

int x, y, z;
thread_local int own;

ATSAN_NO_SANITIZE static int running_threads() {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  while (dirent *task = readdir(tasks)) count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

// Nobody joins the thread, so that nothing comes after it.
static void run_detached(void *(*function)(void *)) {
  int before = running_threads();
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (pthread_create(&thread, &attributes, function, nullptr))
    abort();
  pthread_attr_destroy(&attributes);
  while (running_threads() > before) sched_yield();
}

// Threads get the storage of dead ones too: their stacks and thread-local
// variables.
static void touch_own() {
  int on_stack = 1;
  __asm__ volatile("" : : "r"(&on_stack) : "memory");
  own += on_stack;
}

static void *write_x(void *) {
  x = 1;
  touch_own();
  return nullptr;
}

static void *write_y(void *) {
  touch_own();
  y = 1;
  return nullptr;
}

static void *write_both(void *) {
  x = 1;
  y = 1;
  return nullptr;
}

static void *read_z(void *) {
  USE(z);
  return nullptr;
}

// CHECK: region 'long'
// CHECK: SUMMARY: {{.*}}recycled_threads.cpp:

int main(int argc, char **argv) {
  bool one = called_with(argc, argv, "one");
  std::thread region_thread([] {
    atsan::atomic_region region("long");
    STEP(1) USE(x);
    STEP(3) USE(y);
  });
  STEP(2) {
    run_detached(one ? write_both : write_x);
    for (int i = 0; i < 300; i++) run_detached(read_z);
    if (!one)
      run_detached(write_y);
  }
  region_thread.join();
}
