// Intent: atsan::linearizable finds the mistake of each mutant, and blames none
// of the correct objects. (All tests of these: ./test correct 400.)
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx_atsan -g0 -std=c++17 -O1 -fatomicity-schedule -I %S/Inputs %s -o test
// RUN: %silent ./test correct 20
// RUN: %exits 66 ./test stack 2>&1 | FileCheck %s
// RUN: %exits 66 ./test set 2>&1 | FileCheck %s
// RUN: %exits 66 ./test counter 2>&1 | FileCheck %s
// RUN: %exits 66 ./test map 2>&1 | FileCheck %s
// RUN: %exits 66 ./test lock 2>&1 | FileCheck %s
// RUN: %exits 66 ./test counting-queue 2>&1 | FileCheck %s
// RUN: %exits 66 ./test shared-pair 2>&1 | FileCheck %s
// RUN: %exits 66 ./test snapshot 2>&1 | FileCheck %s
// RUN: %exits 66 ./test max-register 2>&1 | FileCheck %s
// RUN: %exits 66 ./test consensus 2>&1 | FileCheck %s
// CHECK: linearizability violation: {{.*}} fits into no order of the operations, where it returns
// CHECK: thread 1
// CHECK: SUMMARY: AtomicitySanitizer: linearizability-violation
//
// A queue that has linked a node to itself: a push does not return.
// RUN: %exits 66 ./test queue 2>&1 | FileCheck --check-prefix=QUEUE %s
// QUEUE: {{linearizability violation|the schedule has [0-9]+ points}}
//
// Without schedules, too, correct objects are not blamed.
// RUN: %clangxx -std=c++17 -O2 -pthread -I %atsan_source_dir/include -I %S/Inputs %s -o plain
// RUN: %silent ./plain correct 40
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sequential.h"
#include "structures.h"
#include <sanitizer/atsan_linearizable.hpp>
#include <string>

using atsan::fresh;
using atsan::linearizable;
using atsan::one_of;
using atsan::op;

unsigned tests = 400;
atsan::linearizable_options how() {
  atsan::linearizable_options options;
  options.tests = tests;
  return options;
}

template <bool Broken> int stack() {
  return linearizable<concurrent::Stack<Broken>, sequential::Stack>(
      how(), op("push", fresh(), [](auto &s, int v) { s.push(v); }),
      op("pop", [](auto &s) { return s.pop(); }));
}

template <bool Broken> int queue() {
  return linearizable<concurrent::Queue<Broken>, sequential::Queue>(
      how(), op("push", fresh(), [](auto &q, int v) { q.push(v); }),
      op("pop", [](auto &q) { return q.pop(); }));
}

template <bool Broken> int set() {
  const auto keys = one_of(1, 2, 3);
  return linearizable<concurrent::Set<Broken>, sequential::Set>(
      how(), op("add", keys, [](auto &s, int k) { return s.add(k); }).by_key(),
      op("remove", keys, [](auto &s, int k) { return s.remove(k); }).by_key(),
      op("contains", keys, [](auto &s, int k) {
        return s.contains(k);
      }).by_key());
}

template <bool Broken> int counter() {
  return linearizable<concurrent::Counter<Broken>, sequential::Counter>(
      how(),
      op("add", one_of<uint64_t>(1, 0xffffffff),
         [](auto &c, uint64_t n) { c.add(n); }),
      op("read", [](auto &c) { return c.read(); }));
}

template <bool Broken> int map() {
  const auto keys = one_of(1, 2);
  return linearizable<concurrent::Map<Broken>, sequential::Map>(
      how(),
      op("put_if_absent", keys, fresh(),
         [](auto &m, int k, int v) { return m.put_if_absent(k, v); })
          .by_key(),
      op("remove", keys, [](auto &m, int k) { return m.remove(k); }).by_key(),
      op("get", keys, [](auto &m, int k) { return m.get(k); }).by_key());
}

template <bool Broken> int lock() {
  return linearizable<concurrent::Locked<Broken>, sequential::Counter>(
      how(), op("next", [](auto &c) { return c.next(); }));
}

template <bool Broken> int counting_queue() {
  return linearizable<concurrent::CountingQueue<Broken>, sequential::Queue>(
      how(), op("push", fresh(), [](auto &q, int v) { q.push(v); }),
      op("pop", [](auto &q) { return q.pop(); }),
      op("count", [](auto &q) { return q.count(); }));
}

template <bool Broken> int shared_pair() {
  return linearizable<concurrent::SharedPair<Broken>, sequential::Pair>(
      how(), op("write", fresh(), [](auto &p, int v) { p.write(v); }),
      op("read", [](auto &p) { return p.read(); }));
}

template <bool Broken> int snapshot() {
  return linearizable<concurrent::Snapshot<Broken>, sequential::Snapshot>(
      how(),
      op("update", one_of(0, 1), fresh(),
         [](auto &s, int i, int v) { s.update(i, v); }),
      op("scan", [](auto &s) { return s.scan(); }));
}

template <bool Broken> int max_register() {
  return linearizable<concurrent::MaxRegister<Broken>, sequential::MaxRegister>(
      how(), op("raise", one_of(1, 2, 3), [](auto &m, int v) { m.raise(v); }),
      op("read", [](auto &m) { return m.read(); }));
}

template <bool Broken> int consensus() {
  return linearizable<concurrent::Consensus<Broken>, sequential::Consensus>(
      how(), op("decide", fresh(), [](auto &c, int v) { return c.decide(v); }));
}

struct Named {
  const char *name;
  int (*correct)();
  int (*broken)();
};
#define ATSAN_TEST_OBJECT(name, function)                                      \
  {name, function<false>, function<true>}
const Named objects[] = {
    ATSAN_TEST_OBJECT("stack", stack),
    ATSAN_TEST_OBJECT("queue", queue),
    ATSAN_TEST_OBJECT("set", set),
    ATSAN_TEST_OBJECT("counter", counter),
    ATSAN_TEST_OBJECT("map", map),
    ATSAN_TEST_OBJECT("lock", lock),
    ATSAN_TEST_OBJECT("counting-queue", counting_queue),
    ATSAN_TEST_OBJECT("shared-pair", shared_pair),
    ATSAN_TEST_OBJECT("snapshot", snapshot),
    ATSAN_TEST_OBJECT("max-register", max_register),
    ATSAN_TEST_OBJECT("consensus", consensus),
};

// usage: test OBJECT [TESTS], for a mutant; or test correct [TESTS].
int main(int argc, char **argv) {
  if (argc > 2)
    tests = static_cast<unsigned>(std::stoul(argv[2]));
  const std::string wanted = argc > 1 ? argv[1] : "correct";
  for (const Named &object : objects)
    if (wanted == "correct" ? object.correct()
                            : wanted == object.name && object.broken())
      return 1;
}
