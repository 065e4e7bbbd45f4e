//===-- map.cpp -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash map under striped mutexes: threads count random keys, look keys up,
// and remove and re-insert them. Regions: each operation.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <mutex>

namespace {

constexpr size_t kStripes = 64;

struct Node {
  uint64_t Key;
  uint64_t Count;
  Node *Next;
};

class Map {
public:
  explicit Map(size_t Buckets) : Heads(Buckets) {}

  // Returns the new count.
  uint64_t add(uint64_t Key, uint64_t Count) {
    std::lock_guard<std::mutex> Lock(stripe(Key));
    OperationRegion Region;
    if (Node **Found = find(Key))
      return (*Found)->Count += Count;
    Node *&Head = head(Key);
    Head = new Node{Key, Count, Head};
    return Count;
  }

  uint64_t count(uint64_t Key) {
    std::lock_guard<std::mutex> Lock(stripe(Key));
    OperationRegion Region;
    Node **Found = find(Key);
    return Found ? (*Found)->Count : 0;
  }

  // Returns what was counted.
  uint64_t remove(uint64_t Key) {
    std::lock_guard<std::mutex> Lock(stripe(Key));
    OperationRegion Region;
    Node **Found = find(Key);
    if (!Found)
      return 0;
    Node *Removed = *Found;
    uint64_t Count = Removed->Count;
    *Found = Removed->Next;
    delete Removed;
    return Count;
  }

private:
  std::mutex &stripe(uint64_t Key) {
    return Stripes[Key % Heads.size() % kStripes];
  }
  Node *&head(uint64_t Key) { return Heads[Key % Heads.size()]; }
  Node **find(uint64_t Key) {
    for (Node **At = &head(Key); *At; At = &(*At)->Next)
      if ((*At)->Key == Key)
        return At;
    return nullptr;
  }

  std::vector<Node *> Heads;
  std::mutex Stripes[kStripes];
};

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  uint64_t Keys = argument(Argc, Argv, 2, "keys");
  uint64_t Operations = argument(Argc, Argv, 3, "operations per thread");

  Map M(Keys / 2 + 1);
  runThreads(Threads, [&](unsigned I) {
    Random Rng(I + 1);
    for (uint64_t Op = 0; Op < Operations; ++Op) {
      uint64_t Key = Rng.below(Keys);
      switch (Rng.below(8)) {
      case 0:
        // The count moves to another key: the sum stays.
        if (uint64_t Count = M.remove(Key))
          M.add(Rng.below(Keys), Count);
        // The same number of random values in every schedule.
        else
          Rng.next();
        break;
      case 1:
      case 2:
        M.add(Key, 1);
        break;
      default:
        M.count(Key);
      }
    }
  });
  uint64_t Sum = 0;
  for (uint64_t Key = 0; Key < Keys; ++Key)
    Sum += M.count(Key);
  return finish("counted", Sum);
}
