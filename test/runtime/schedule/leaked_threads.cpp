// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx_atsan -O1 -fatomicity-schedule %s -o leaks
// Intent: a thread that the function leaves behind, and that does not end, is
// said to be one: what it does, and that it is to be joined.
// RUN: %exits 66 ./leaks waits 2>&1 | FileCheck --check-prefixes=LEFT,WAITS %s
// RUN: env ATSAN_OPTIONS=schedule_points=20000 %exits 66 ./leaks spins 2>&1 | FileCheck --check-prefixes=LEFT,SPINS %s
// RUN: %exits 66 ./leaks sleeps 2>&1 | FileCheck --check-prefixes=LEFT,READS %s
// LEFT: ERROR: AtomicitySanitizer: explore: the function has returned, and has left threads behind, which do not end: let them end, and join them, before it returns
// WAITS-SAME: ; thread 0.1 waits in wait for the condition
// SPINS-SAME: ; thread 0.1 goes on and on
// READS-SAME: ; thread 0.1 is in a call of the kernel
// LEFT: #0 {{.*}}leaked_threads.cpp
// LEFT: SUMMARY: AtomicitySanitizer: threads-left
// LEFT: explore: a finding in schedule 1, which ends the process
// One that ends by itself is no error.
// RUN: %silent ./leaks ends
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <sanitizer/atsan_explore.h>
#include <signal.h>
#include <thread>

static const char *what;
static std::mutex m;
static std::condition_variable c;
static std::atomic<int> word;

static void work() {
  if (!strcmp(what, "waits")) {
    std::unique_lock<std::mutex> l(m);
    c.wait(l);
  }
  while (!strcmp(what, "spins") && !word) {
  }
  if (!strcmp(what, "sleeps")) {
    sigset_t none;
    sigemptyset(&none);
    int signal;
    sigwait(&none, &signal);
  }
}

int main(int, char **argv) {
  what = argv[1];
  __atsan_explore([](void *) { std::thread(work).detach(); }, nullptr, nullptr);
}
