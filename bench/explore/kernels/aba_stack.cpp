//===-- aba_stack.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lock-free stack whose nodes are used again: who pops compares the head with
// what it was, and it is the same node, with another one below (ABA). The twin
// counts changes.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

constexpr int kNodes = 3;

class Stack {
public:
  void push(int Node) {
    unsigned Seen = Head.load();
    do
      Next[Node].store(Seen & 0xff);
    while (!Head.compare_exchange_strong(Seen, changed(Seen, Node + 1)));
  }
  /// Returns -1 if there is nothing.
  int pop() {
    unsigned Seen = Head.load();
    for (;;) {
      const int Node = static_cast<int>(Seen & 0xff) - 1;
      if (Node < 0)
        return -1;
      const unsigned Below = Next[Node].load();
      if (Head.compare_exchange_strong(Seen, changed(Seen, Below)))
        return Node;
    }
  }

private:
  static unsigned changed(unsigned Seen, unsigned To) {
#ifdef FIXED
    return ((Seen & ~0xffu) + 0x100) | To;
#else
    (void)Seen;
    return To;
#endif
  }

  std::atomic<unsigned> Head{0}; // The number of a node, from 1 on.
  std::atomic<unsigned> Next[kNodes] = {};
};

} // namespace

void test() {
  Stack S;
  for (int Node = 0; Node != kNodes; ++Node)
    S.push(Node);
  std::atomic<int> Owners[kNodes] = {};
  const auto Take = [&] {
    const int Node = S.pop();
    if (Node >= 0)
      Owners[Node]++;
    return Node;
  };
  inParallel([&] { Take(); },
             [&] {
               const int Top = Take();
               Take();
               if (Top >= 0) {
                 Owners[Top]--;
                 S.push(Top);
               }
             });
  while (Take() >= 0)
    ;
  for (std::atomic<int> &Count : Owners)
    assert(Count == 1);
}
