// RUN: %clangxx_atsan -std=c++17 -O1 -g -fatomicity-schedule %s -o %t -lpthread
// Intent: where nothing is predicted, strategies take turns: a bug that surw
// hardly shows is found by default. (In the usual run one worker does both
// tasks, one after the other.)
// RUN: %exits 66 %atsan explore --seed=3 --runs=100 -- %t | FileCheck %s
// CHECK: 1 atomicity violation, in schedule {{[0-9]+}} (replayed 20 of 20 times)
// CHECK-NEXT: Region 'take' of {{.*}} is not atomic
// RUN: %atsan explore --runs=200 -- %t fixed | FileCheck --check-prefix=FIXED %s
// FIXED: 200 schedules, {{[0-9]+}} distinct classes: nothing found
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sanitizer/atsan.hpp>

#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

static std::mutex mutex, stock_mutex;
static std::condition_variable has_work, is_done;
static std::queue<void (*)()> tasks;
static bool is_closed;
static int left = 2;
static int stock = 1;

static int inStock() {
  std::lock_guard<std::mutex> guard(stock_mutex);
  return stock;
}

static void takeOne() {
  std::lock_guard<std::mutex> guard(stock_mutex);
  stock--;
}

static void take() {
  atsan::atomic_region region("take");
  if (inStock())
    takeOne();
}

static void takeUnderLock() {
  atsan::atomic_region region("take");
  std::lock_guard<std::mutex> guard(stock_mutex);
  if (stock)
    stock--;
}

static bool next(void (**task)()) {
  std::unique_lock<std::mutex> guard(mutex);
  has_work.wait(guard, [] { return is_closed || !tasks.empty(); });
  if (tasks.empty())
    return false;
  *task = tasks.front();
  tasks.pop();
  return true;
}

static void work() {
  for (void (*task)(); next(&task);) {
    task();
    std::lock_guard<std::mutex> guard(mutex);
    if (--left == 0)
      is_done.notify_one();
  }
}

static void add(void (*task)()) {
  {
    std::lock_guard<std::mutex> guard(mutex);
    tasks.push(task);
  }
  has_work.notify_one();
}

int main(int argc, char **) {
  std::vector<std::thread> workers;
  for (int i = 0; i < 2; i++)
    workers.emplace_back(work);
  for (int i = 0; i < 2; i++)
    add(argc > 1 ? takeUnderLock : take);
  {
    std::unique_lock<std::mutex> guard(mutex);
    is_done.wait(guard, [] { return left == 0; });
    is_closed = true;
  }
  has_work.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}
