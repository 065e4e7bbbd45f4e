// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: ways to be atomic that reduction knows: none of them is reported, and
// the same without the barrier, or without the lock, is.
//
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:fail_on=potential %silent %t
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:fail_on=potential %exits 66 %t no-barrier 2>&1 \
// RUN:   | FileCheck %s
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:fail_on=potential %exits 66 %t no-lock 2>&1 \
// RUN:   | FileCheck %s
// CHECK: AtomicitySanitizer:
// CHECK: SUMMARY: AtomicitySanitizer:
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <queue>
#include <shared_mutex>
#include <thread>
#include <vector>

struct Node {
  int a = 0, b = 0;
};

constexpr int kThreads = 4;
std::mutex mutex;
std::shared_mutex table_mutex;
std::condition_variable filled;
std::queue<int> queue;
bool closed;
int table[8], grid[kThreads];
std::atomic<int> references;
pthread_barrier_t barrier;
bool with_barrier = true, with_lock = true;

// Readers of a table share a lock that its writers hold alone.
static void look_up(int k) {
  atsan::atomic_region region("look up");
  std::shared_lock<std::shared_mutex> lock(table_mutex);
  USE(table[k % 8]);
  USE(table[(k + 1) % 8]);
}

static void update(int k) {
  atsan::atomic_region region("update");
  std::unique_lock<std::shared_mutex> lock(table_mutex, std::defer_lock);
  if (with_lock)
    lock.lock();
  table[k % 8]++;
  table[(k + 1) % 8]--;
}

// One atomic operation; an object of the thread's own.
static void count() {
  atsan::atomic_region region("count");
  references++;
}

static void build(int k) {
  atsan::atomic_region region("build");
  auto node = std::make_unique<Node>();
  node->a = k;
  USE(node->a);
  node->b = k;
}

static void await() {
  if (with_barrier)
    pthread_barrier_wait(&barrier);
}

// Phases between barriers.
static void compute(int me) {
  {
    atsan::atomic_region region("write");
    USE(grid[me]);
    grid[me] = me;
  }
  await();
  {
    atsan::atomic_region region("sum");
    for (int &cell : grid) USE(cell);
  }
  await();
}

static void work(int me) {
  for (int k = 0; k < 20; k++) {
    look_up(k);
    update(k);
    count();
    build(k);
    compute(me);
  }
}

static void consume() {
  for (;;) {
    std::unique_lock<std::mutex> lock(mutex);
    filled.wait(lock, [] { return !queue.empty() || closed; });
    atsan::atomic_region region("pop");
    if (queue.empty())
      return;
    queue.pop();
  }
}

static void produce() {
  for (int i = 0; i < 20; i++) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      atsan::atomic_region region("push");
      queue.push(i);
    }
    filled.notify_one();
  }
  std::lock_guard<std::mutex> lock(mutex);
  closed = true;
  filled.notify_one();
}

int main(int argc, char **argv) {
  with_barrier = argc < 2 || strcmp(argv[1], "no-barrier") != 0;
  with_lock = argc < 2 || strcmp(argv[1], "no-lock") != 0;
  for (int i = 0; i < 8; i++) table[i] = i;
  pthread_barrier_init(&barrier, nullptr, kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++) threads.emplace_back(work, i);
  std::thread consumer(consume);
  produce();
  for (std::thread &thread : threads) thread.join();
  consumer.join();
  atsan::atomic_region region("check");
  for (int &cell : grid) cell++;
}
