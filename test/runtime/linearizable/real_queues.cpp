// Intent: lock-free queues of others, from Debian. The one for a producer and a
// consumer is linearizable; the one for many promises the order of each
// producer only, and is no queue if there are two.
// REQUIRES: concurrentqueue
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx_atsan -g0 -std=c++17 -O1 -fatomicity-schedule -I %S/Inputs %s -o test
// RUN: %silent ./test one
// RUN: %exits 66 ./test many 2>&1 | FileCheck %s
// CHECK: linearizability violation: 'Many': 'pop() ->
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sequential.h"
#include <concurrentqueue/concurrentqueue.h>
#include <cstring>
#include <readerwriterqueue/readerwriterqueue.h>
#include <sanitizer/atsan_linearizable.hpp>

template <class Queue> struct Real {
  Queue queue{8};
  void push(int v) { queue.enqueue(v); }
  std::optional<int> pop() {
    int v;
    return queue.try_dequeue(v) ? std::optional(v) : std::nullopt;
  }
};
using One = Real<moodycamel::ReaderWriterQueue<int>>;
struct Many : Real<moodycamel::ConcurrentQueue<int>> {};

int main(int argc, char **argv) {
  const auto push =
      atsan::op("push", atsan::fresh(), [](auto &q, int v) { q.push(v); });
  const auto pop = atsan::op("pop", [](auto &q) { return q.pop(); });
  if (argc > 1 && !std::strcmp(argv[1], "many"))
    return atsan::linearizable<Many, sequential::Queue>(push, pop);
  atsan::linearizable_options options;
  options.tests = 100;
  return atsan::linearizable<One, sequential::Queue>(options, push.by_thread(1),
                                                     pop.by_thread(2));
}
