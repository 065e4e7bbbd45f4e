//===-- kernel.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernels have in common. Each one is a test with a concurrency bug
// that shows in some schedules only: as a region that is not atomic, a
// deadlock or a failed assertion. With -DFIXED it is the correct twin.
//
//===----------------------------------------------------------------------===//
#ifndef BENCH_EXPLORE_KERNEL_H
#define BENCH_EXPLORE_KERNEL_H

#undef NDEBUG

#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <sanitizer/atsan.hpp>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <utility>
#include <vector>

// Runs the kernel's threads once, on data of its own, and waits for them.
void test();

#ifdef NO_REGIONS
// The kernel has its assertions only.
struct Region {
  explicit Region(const char *) {}
};
#else
using Region = atsan::atomic_region;
#endif

// Runs each of the functions in a thread of its own.
template <class... Functions> void inParallel(Functions... Bodies) {
  std::thread Threads[] = {std::thread(Bodies)...};
  for (std::thread &T : Threads)
    T.join();
}

// Runs the function in so many threads, which get the numbers from 0 on.
template <class Function> void eachInParallel(int Count, Function Body) {
  std::vector<std::thread> Threads;
  for (int Number = 0; Number != Count; ++Number)
    Threads.emplace_back(Body, Number);
  for (std::thread &T : Threads)
    T.join();
}

#endif // BENCH_EXPLORE_KERNEL_H
