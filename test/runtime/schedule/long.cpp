// RUN: %clangxx_atsan -std=c++20 -O1 -fatomicity-schedule %s -o %t
// Intent: a switch costs the same in a long schedule as in a short one, and the
// schedule can be followed.
// RUN: rm -f %t.sched; env ATSAN_OPTIONS="schedule_strategy=random:schedule_out='%t.sched'" %t | FileCheck %s
// RUN: grep -c '^switch' %t.sched | FileCheck --check-prefix=COUNT %s
// RUN: env ATSAN_OPTIONS="schedule='%t.sched'" %t 2>&1 | FileCheck %s
// CHECK-NOT: diverged
// CHECK: the last part costs what the first one does
// COUNT: {{^[1-9][0-9][0-9][0-9][0-9][0-9]$}}
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <sys/syscall.h>
#include <thread>
#include <time.h>
#include <unistd.h>

constexpr int kParts = 16, kSteps = 8000;
static std::atomic<int> shared;

// The processor's time, which is real; libc's clocks are virtual.
static double now() {
  timespec time;
  syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main() {
  double parts[kParts];
  const auto step = [] {
    for (int i = 0; i < kSteps * kParts; i++) shared++;
  };
  std::thread other(step);
  for (double &part : parts) {
    part = now();
    for (int i = 0; i < kSteps; i++) shared++;
    part = now() - part;
  }
  other.join();
  const double first = *std::min_element(parts, parts + 4);
  const double last = *std::min_element(parts + kParts - 4, parts + kParts);
  if (last < 3 * first)
    puts("the last part costs what the first one does");
  else
    printf("%f s, and %f s in the end\n", first, last);
}
