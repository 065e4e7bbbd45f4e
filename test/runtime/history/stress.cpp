// Intent: watched on threads as they run, correct objects are never blamed, and
// each of three mutants of each is, with the sanitizer and without.
//
// usage: stress THREADS SECONDS [OBJECT [MUTANT]]; for ten minutes: stress 8
// 600
//
// RUN: %clangxx -std=c++17 -O2 -pthread -I %atsan_source_dir/include -I %S/Inputs %s -o %t.plain
// RUN: %t.plain 4 0.3 | FileCheck %s
// RUN: %clangxx_atsan -std=c++17 -O2 -I %S/Inputs %s -o %t
// RUN: %t 4 0.3 | FileCheck %s
// CHECK: seqlock: {{[0-9]+}} ns
// CHECK: four slots: {{[0-9]+}} ns
// CHECK: hazard slot: {{[0-9]+}} ns
// CHECK: sharded counter: {{[0-9]+}} ns
// CHECK: std::atomic: {{[0-9]+}} ns
//
// A mutant is stopped by its report, long before the time is up.
// RUN: %exits 66 %t.plain 4 60 seqlock 1 2>&1 | FileCheck --check-prefix=PLAIN %s
// PLAIN: linearizability violation: register 'seqlock'
// PLAIN-NEXT: finds
// PLAIN-NEXT: fits nowhere between its call and its return
// RUN: for object in seqlock "four slots" "hazard slot" "sharded counter" std::atomic; do \
// RUN:   for mutant in 1 2 3; do %exits 66 %t 8 120 "$object" $mutant || exit 1; done; done 2>&1 \
// RUN:   | grep SUMMARY: | FileCheck --check-prefix=LIVE %s
// LIVE-COUNT-15: SUMMARY: AtomicitySanitizer: linearizability-violation
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define ATSAN_TEST_WORDS 16 // So that threads are interrupted within a value.
#include "objects.h"
#include <chrono>
#include <cstdio>
#include <memory>
#include <sanitizer/atsan_history.hpp>
#include <string>
#include <thread>
#include <vector>

// Calls work(thread, round) in so many threads for so long; prints the time for
// a call, all threads together.
template <class Work>
void run(const char *name, unsigned threads, double seconds, Work work) {
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<uint64_t> calls{0};
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; t++)
    all.emplace_back([&, t] {
      for (uint64_t round = 0;; round++) {
        if (round % 256 == 0 && std::chrono::duration<double>(
                                    std::chrono::steady_clock::now() - begin)
                                        .count() > seconds) {
          calls += round;
          return;
        }
        work(t, round);
      }
    });
  for (std::thread &t : all) t.join();
  std::printf("%s: %.0f ns, %llu calls\n", name, seconds * 1e9 / double(calls),
              static_cast<unsigned long long>(calls));
}

// Objects with one writer: one for each group of threads.
template <class Object>
void one_writer(const char *name, unsigned threads, unsigned group,
                double seconds) {
  using watched = atsan::checked_register<uint64_t, Object>;
  std::vector<std::unique_ptr<watched>> objects;
  for (unsigned t = 0; t < threads; t += group)
    objects.push_back(std::make_unique<watched>(0, name));
  run(name, threads, seconds, [&](unsigned t, uint64_t round) {
    if (t % group == 0)
      objects[t / group]->store(round << 32 | round);
    else
      objects[t / group]->load();
  });
}

template <class Counter>
void increments(const char *name, unsigned threads, double seconds) {
  Counter counter(0);
  atsan::history<uint64_t> watched(name, 0);
  run(name, threads, seconds, [&](unsigned t, uint64_t round) {
    if (t < 4 && round % 4)
      watched.add(1, [&] { counter.increment(t); });
    else
      watched.read([&] { return counter.load(); });
  });
}

template <class Object>
void any_operations(const char *name, unsigned threads, double seconds) {
  atsan::checked_register<uint64_t, Object> atomic(0, name);
  run(name, threads, seconds, [&](unsigned t, uint64_t round) {
    uint64_t expected = round % 3;
    switch ((round + t) % 5) {
    case 0:
      atomic.store(round % 4);
      break;
    case 1:
      atomic.fetch_add(1);
      break;
    case 2:
      atomic.compare_exchange_strong(expected, t);
      break;
    case 3:
      atomic.exchange(t);
      break;
    default:
      atomic.load();
    }
  });
}

// Runs the mutant of the object whose name is given, or of all objects. Mutant
// 0 is the correct one.
template <int Mutant>
void objects(unsigned threads, double seconds, const std::string &wanted) {
  const auto is = [&](const char *one) {
    return wanted.empty() || wanted == one;
  };
  if (is("seqlock"))
    one_writer<Seqlock<Mutant>>("seqlock", threads, threads, seconds);
  if (is("four slots"))
    one_writer<FourSlots<Mutant>>("four slots", threads, 2, seconds);
  if (is("hazard slot"))
    one_writer<HazardSlot<Mutant>>("hazard slot", threads, 2, seconds);
  if (is("sharded counter"))
    increments<ShardedCounter<Mutant>>("sharded counter", threads, seconds);
  if (is("std::atomic"))
    any_operations<Atomic<Mutant>>("std::atomic", threads, seconds);
}

int main(int argc, char **argv) {
  void (*const of[])(unsigned, double, const std::string &) = {
      objects<0>, objects<1>, objects<2>, objects<3>};
  of[argc > 4 ? std::stoul(argv[4]) : 0](argc > 1 ? std::stoul(argv[1]) : 4,
                                         argc > 2 ? std::stod(argv[2]) : 0.3,
                                         argc > 3 ? argv[3] : "");
}
