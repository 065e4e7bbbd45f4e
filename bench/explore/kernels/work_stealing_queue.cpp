//===-- work_stealing_queue.cpp -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The queue of "The Implementation of the Cilk-5 Multithreaded Language" (PLDI
// 1998): its owner takes from one end without the lock, thieves take from the
// other. A thief has to move its end before it looks at the owner's.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Deque {
public:
  void push(int Item) {
    const int At = Tail.load();
    Items[At] = Item;
    Tail.store(At + 1);
  }
  /// Returns -1 if there is nothing.
  int pop() {
    const int At = Tail.load() - 1;
    Tail.store(At);
    if (Head.load() <= At)
      return Items[At];
    Tail.store(At + 1);
    std::lock_guard<std::mutex> Guard(Lock);
    if (Head.load() > At)
      return -1;
    Tail.store(At);
    return Items[At];
  }
  int steal() {
    std::lock_guard<std::mutex> Guard(Lock);
    const int At = Head.load();
#ifdef FIXED
    Head.store(At + 1);
    if (At + 1 <= Tail.load())
      return Items[At];
    Head.store(At);
    return -1;
#else
    if (At >= Tail.load())
      return -1;
    Head.store(At + 1);
    return Items[At];
#endif
  }

private:
  std::mutex Lock;
  std::atomic<int> Head{0}, Tail{0};
  int Items[4] = {};
};

} // namespace

void test() {
  Deque D;
  std::atomic<int> Taken[2] = {};
  const auto Take = [&](int Item) {
    if (Item >= 0)
      Taken[Item]++;
  };
  inParallel(
      [&] {
        D.push(0);
        D.push(1);
        Take(D.pop());
        Take(D.pop());
      },
      [&] {
        Take(D.steal());
        Take(D.steal());
      });
  for (int Item = D.pop(); Item >= 0; Item = D.pop())
    Take(Item);
  assert(Taken[0] == 1 && Taken[1] == 1);
}
