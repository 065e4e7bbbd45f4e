//===-- containers.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread has a cache with the least recently used entry at the end of a
// list, found by a tree, and an index of its entries in order: nodes that are
// linked, unlinked and walked over by libstdc++, whose code nobody instruments.
// Regions: one request.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <list>
#include <map>
#include <set>

namespace {

class Cache {
public:
  explicit Cache(uint64_t Capacity) : Capacity(Capacity) {}

  uint64_t request(uint64_t Key) {
    auto Found = Places.find(Key);
    if (Found != Places.end()) {
      Entries.splice(Entries.begin(), Entries, Found->second);
      return Found->second->second;
    }
    if (Entries.size() == Capacity) {
      Places.erase(Entries.back().first);
      Order.erase(Entries.back());
      Entries.pop_back();
    }
    Entries.emplace_front(Key, Key * 7);
    Places[Key] = Entries.begin();
    Order.insert(Entries.front());
    return Key;
  }

  // The sum of some entries from a key on.
  uint64_t sumFrom(uint64_t Key, unsigned Count) const {
    uint64_t Sum = 0;
    for (auto I = Order.lower_bound({Key, 0}); I != Order.end() && Count;
         ++I, --Count)
      Sum += I->second;
    return Sum;
  }

private:
  using Entry = std::pair<uint64_t, uint64_t>;
  uint64_t Capacity;
  std::list<Entry> Entries;
  std::map<uint64_t, std::list<Entry>::iterator> Places;
  std::set<Entry> Order;
};

uint64_t serve(uint64_t Seed, uint64_t Requests, uint64_t Keys) {
  Random Rng(Seed);
  Cache C(Keys / 2);
  uint64_t Sum = 0;
  for (uint64_t I = 0; I < Requests; ++I) {
    OperationRegion Region("request");
    const uint64_t Key = Rng.below(Keys);
    Sum = Sum * 31 + C.request(Key);
    if (I % 8 == 0)
      Sum += C.sumFrom(Key, 16);
  }
  return Sum;
}

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  uint64_t Requests = argument(Argc, Argv, 2, "requests");
  uint64_t Keys = argument(Argc, Argv, 3, "keys");

  std::vector<uint64_t> Results(Threads);
  runThreads(Threads, [&](unsigned Self) {
    Results[Self] = serve(Self + 1, Requests, Keys);
  });
  return finish("containers", Results);
}
