// RUN: %clangxx_atsan -O0 -I%inputs %s -o %t.0
// Intent: instrumented atomics still are atomic and compute what they should,
// of all kinds, inside regions of several threads and outside; nothing is lost.
// RUN: %clangxx_atsan -O2 -I%inputs %s -o %t.2
// RUN: %silent %t.0
// RUN: %silent %t.2
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>
#include <vector>

constexpr int kThreads = 4, kRounds = 5000;

std::atomic<int> counter, maximum, region_counter;
std::atomic<unsigned> bits;
std::atomic<double> sum;
std::atomic<void *> stack;
std::atomic_flag flag = ATOMIC_FLAG_INIT;

struct Node {
  void *next;
};

static void work(int me, Node *nodes) {
  for (int i = 0; i < kRounds; i++) {
    counter++;
    bits ^= 1u << me;
    double old = sum.load();
    while (!sum.compare_exchange_weak(old, old + 1));
    int seen = maximum;
    while (seen < i && !maximum.compare_exchange_strong(seen, i));
    nodes[i].next = stack.load();
    while (!stack.compare_exchange_weak(nodes[i].next, &nodes[i]));
    // A region of a single access is always serializable.
    atsan::atomic_region region("one");
    region_counter.fetch_add(1, std::memory_order_relaxed);
  }
}

int main() {
  std::vector<Node> nodes(kThreads * kRounds);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++)
    threads.emplace_back(work, i, &nodes[i * kRounds]);
  for (std::thread &thread : threads) thread.join();
  int length = 0;
  for (void *p = stack; p; p = static_cast<Node *>(p)->next) length++;
  if (flag.test_and_set() || !flag.test_and_set())
    return 2;
  return counter == kThreads * kRounds && bits == 0 && maximum == kRounds - 1 &&
                 sum == kThreads * kRounds && length == kThreads * kRounds &&
                 region_counter == kThreads * kRounds
             ? 0
             : 1;
}
