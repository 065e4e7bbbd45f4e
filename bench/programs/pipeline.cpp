//===-- pipeline.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages go through three stages with a bounded queue (mutex and condition
// variables) before each. A stage works on a message of its own. Regions:
// putting and taking; a wait in it divides the region.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace {

constexpr size_t kMessageWords = 64;
constexpr size_t kCapacity = 16;

struct Message {
  uint64_t Words[kMessageWords];
};

// Null means: no more.
using Item = std::unique_ptr<Message>;

class Queue {
public:
  void put(Item I) {
    std::unique_lock<std::mutex> Lock(Mutex);
    OperationRegion Region;
    while (Used == kCapacity)
      NotFull.wait(Lock);
    Ring[(First + Used++) % kCapacity] = std::move(I);
    NotEmpty.notify_one();
  }

  Item take() {
    std::unique_lock<std::mutex> Lock(Mutex);
    OperationRegion Region;
    while (Used == 0)
      NotEmpty.wait(Lock);
    Item I = std::move(Ring[First]);
    First = (First + 1) % kCapacity;
    --Used;
    NotFull.notify_one();
    return I;
  }

private:
  std::mutex Mutex;
  std::condition_variable NotEmpty, NotFull;
  Item Ring[kCapacity];
  size_t First = 0, Used = 0;
};

void mix(Message &M, uint64_t Round) {
  for (uint64_t &Word : M.Words)
    Word = (Word ^ Round) * 0x9e3779b97f4a7c15 + (Word >> 29);
}

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  uint64_t Messages = argument(Argc, Argv, 2, "messages");
  uint64_t Rounds = argument(Argc, Argv, 3, "rounds of work per stage");

  // The threads form chains of three.
  unsigned Chains = (Threads + 2) / 3;
  std::vector<Queue> ToWork(Chains), ToSum(Chains);
  std::vector<uint64_t> Sums(Chains);
  runThreads(Chains * 3, [&, Messages, Rounds](unsigned I) {
    unsigned Chain = I / 3;
    switch (I % 3) {
    case 0:
      for (uint64_t N = 0; N < Messages; ++N) {
        Item New(new Message);
        for (size_t W = 0; W < kMessageWords; ++W)
          New->Words[W] = N * kMessageWords + W + Chain;
        ToWork[Chain].put(std::move(New));
      }
      ToWork[Chain].put(nullptr);
      break;
    case 1:
      while (Item Next = ToWork[Chain].take()) {
        for (uint64_t Round = 0; Round < Rounds; ++Round)
          mix(*Next, Round);
        ToSum[Chain].put(std::move(Next));
      }
      ToSum[Chain].put(nullptr);
      break;
    default:
      while (Item Next = ToSum[Chain].take())
        for (uint64_t Word : Next->Words)
          Sums[Chain] += Word;
    }
  });
  uint64_t Sum = 0;
  for (uint64_t S : Sums)
    Sum = Sum * 31 + S;
  return finish("checksum", Sum);
}
