// Intent: atsan::explore finds each mutant of each object within a unit test,
// and blames none of the correct ones.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx_atsan -std=c++17 -O1 -fatomicity-schedule -I %S/Inputs %s -o test
// RUN: env ATSAN_OPTIONS=halt_on_error=0:max_reports=1 %exits 66 ./test 2> err | FileCheck %s
// RUN: FileCheck --check-prefix=REPORT %s < err
// CHECK: seqlock: 0 1 1 1{{$}}
// CHECK-NEXT: four slots: 0 1 1 1{{$}}
// CHECK-NEXT: hazard slot: 0 1 1 1 1{{$}}
// CHECK-NEXT: sharded counter: 0 1 1 1{{$}}
// CHECK-NEXT: atomic: 0 1 1 1{{$}}
// REPORT: explore: a finding in schedule [[#]] (replayed
// REPORT: ERROR: AtomicitySanitizer: linearizability violation: register 'seqlock': 'read finds {{[0-9]+}}' fits nowhere between its call and its return, when the register can have held {{[0-9, ]+}} (in
// REPORT: SUMMARY: AtomicitySanitizer: linearizability-violation
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "objects.h"
#include <cstdio>
#include <sanitizer/atsan_explore.hpp>
#include <sanitizer/atsan_history.hpp>
#include <thread>

constexpr uint64_t one = 1ull << 32 | 1, two = 2 * one, three = 3 * one;

atsan::explore_options options() {
  atsan::explore_options o;
  o.runs = 3000;
  return o;
}

template <class Object> int one_writer(const char *name) {
  return atsan::explore(
      [&] {
        atsan::checked_register<uint64_t, Object> object(0, name);
        std::thread writer([&] {
          object.store(one);
          object.store(two);
          object.store(three);
        });
        object.load();
        object.load();
        object.load();
        writer.join();
      },
      options());
}

template <class Counter> int counter() {
  return atsan::explore(
      [] {
        Counter object(0);
        atsan::history<uint64_t> watched("sharded counter", 0);
        const auto add = [&](unsigned t) {
          watched.add(1, [&] { object.increment(t); });
        };
        std::thread other([&] { add(1); });
        add(0);
        watched.read([&] { return object.load(); });
        other.join();
        watched.read([&] { return object.load(); });
      },
      options());
}

template <class Object> int any_writers() {
  return atsan::explore(
      [] {
        atsan::checked_register<uint64_t, Object> object(0, "atomic");
        const auto work = [&] {
          uint64_t expected = 0;
          object.compare_exchange_strong(expected, 7);
          object.fetch_add(1);
          object.exchange(3);
        };
        std::thread other(work);
        work();
        other.join();
        object.load();
      },
      options());
}

int main() {
  std::printf("seqlock: %d %d %d %d\n", one_writer<Seqlock<0>>("seqlock"),
              one_writer<Seqlock<1>>("seqlock"),
              one_writer<Seqlock<2>>("seqlock"),
              one_writer<Seqlock<3>>("seqlock"));
  std::printf("four slots: %d %d %d %d\n", one_writer<FourSlots<0>>("slots"),
              one_writer<FourSlots<1>>("slots"),
              one_writer<FourSlots<2>>("slots"),
              one_writer<FourSlots<3>>("slots"));
  std::printf(
      "hazard slot: %d %d %d %d %d\n", one_writer<HazardSlot<0>>("slot"),
      one_writer<HazardSlot<1>>("slot"), one_writer<HazardSlot<2>>("slot"),
      one_writer<HazardSlot<3>>("slot"), one_writer<HazardSlot<4>>("slot"));
  std::printf("sharded counter: %d %d %d %d\n", counter<ShardedCounter<0>>(),
              counter<ShardedCounter<1>>(), counter<ShardedCounter<2>>(),
              counter<ShardedCounter<3>>());
  std::printf("atomic: %d %d %d %d\n", any_writers<Atomic<0>>(),
              any_writers<Atomic<1>>(), any_writers<Atomic<2>>(),
              any_writers<Atomic<3>>());
}
