// RUN: %clangxx_atsan -O1 -fatomicity-schedule %s -o %t
// Intent: sleeps take no time: a hundred schedules with ten seconds of sleep in
// each thread are explored in less than ten.
// RUN: timeout 10 %t | FileCheck %s
// CHECK: 100 schedules, slept 20 seconds in each
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <chrono>
#include <cstdio>
#include <mutex>
#include <sanitizer/atsan_explore.hpp>
#include <thread>

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

int main() {
  int schedules = 0;
  Clock::duration least = 1h;
  atsan::explore_options options;
  options.runs = 100;
  options.strategy = "random";
  const int found = atsan::explore(
      [&] {
        std::mutex m;
        const auto begin = Clock::now();
        auto sleep = [&] {
          std::lock_guard<std::mutex> guard(m);
          std::this_thread::sleep_for(10s);
        };
        std::thread a(sleep), b(sleep);
        a.join();
        b.join();
        schedules++;
        least = std::min(least, Clock::now() - begin);
      },
      options);
  printf("%d schedules, slept %d seconds in each\n", schedules,
         (int)std::chrono::duration_cast<std::chrono::seconds>(least).count());
  return found;
}
