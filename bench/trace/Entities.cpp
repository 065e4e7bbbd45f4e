//===-- Entities.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two passes over the run. The first one follows each granule of 8 bytes from
// birth to death, the second one keeps the records about shared lives.
//
//===----------------------------------------------------------------------===//

#include "Entities.h"

#include <algorithm>
#include <unordered_map>

namespace trace {

namespace {
constexpr unsigned kGranule = 8;
constexpr uint16_t kNobody = 0xffff;

// What is known of a granule's present life. It ends when all bytes die at
// once; when some do, a life that is shared remains so.
struct Life {
  uint32_t Number;
  uint8_t Starts = 0; // Bytes at which some access begins.
  uint8_t Ends = 0;   // Bytes behind which some access ends.
  uint8_t SharedBytes = 0;
  uint16_t Owner[kGranule];

  explicit Life(uint32_t N) : Number(N) {
    std::fill(Owner, Owner + kGranule, kNobody);
  }

  void access(unsigned First, unsigned Last, uint16_t Thread) {
    Starts |= 1u << First;
    Ends |= 1u << Last;
    for (unsigned Byte = First; Byte <= Last; ++Byte) {
      if (Owner[Byte] == kNobody)
        Owner[Byte] = Thread;
      else if (Owner[Byte] != Thread)
        SharedBytes |= 1u << Byte;
    }
  }

  void forget(unsigned First, unsigned Last) {
    for (unsigned Byte = First; Byte <= Last; ++Byte)
      Owner[Byte] = kNobody;
  }
  static bool isAll(unsigned First, unsigned Last) {
    return First == 0 && Last == kGranule - 1;
  }

  unsigned countShared() const {
    unsigned Count = 0;
    bool Inside = false;
    for (unsigned Byte = 0; Byte < kGranule; ++Byte) {
      bool Shared = SharedBytes >> Byte & 1;
      if (Shared && (!Inside || Starts >> Byte & 1))
        ++Count;
      Inside = Shared && !(Ends >> Byte & 1);
    }
    return Count;
  }
};

// Both passes see the same lives in the same order.
class Lives {
public:
  Life &at(uint64_t Granule) {
    auto Found = Current.find(Granule);
    if (Found == Current.end())
      Found = Current.emplace(Granule, Life(NumLives++)).first;
    return Found->second;
  }
  Life *find(uint64_t Granule) {
    auto Found = Current.find(Granule);
    return Found == Current.end() ? nullptr : &Found->second;
  }
  void end(uint64_t Granule) { Current.erase(Granule); }
  template <typename F> void forEach(F Function) const {
    for (const auto &Entry : Current)
      Function(Entry.second);
  }
  uint32_t count() const { return NumLives; }

private:
  std::unordered_map<uint64_t, Life> Current;
  uint32_t NumLives = 0;
};

template <typename F> void forEachGranule(const Record &R, F Function) {
  uint64_t Last = R.Address + R.Size - 1;
  for (uint64_t G = R.Address / kGranule; G <= Last / kGranule; ++G) {
    uint64_t From = std::max(R.Address, G * kGranule);
    uint64_t To = std::min(Last, G * kGranule + kGranule - 1);
    Function(G, From % kGranule, To % kGranule);
  }
}
} // namespace

SharedRun selectShared(const Record *Records, size_t Count) {
  SharedRun Result;
  std::vector<bool> IsShared;
  {
    Lives L;
    auto Close = [&](const Life &Over) {
      IsShared.resize(L.count());
      IsShared[Over.Number] = Over.SharedBytes != 0;
      Result.NumSharedEntities += Over.countShared();
    };
    for (size_t I = 0; I < Count; ++I) {
      const Record &R = Records[I];
      Result.NumThreads = std::max(Result.NumThreads, R.Thread + 1u);
      if (isAccess(R.Kind))
        forEachGranule(R, [&](uint64_t G, unsigned First, unsigned Last) {
          L.at(G).access(First, Last, R.Thread);
        });
      if (R.Kind == What::Forget)
        forEachGranule(R, [&](uint64_t G, unsigned First, unsigned Last) {
          Life *Found = L.find(G);
          if (Found && !Life::isAll(First, Last)) {
            Found->forget(First, Last);
          } else if (Found) {
            Close(*Found);
            L.end(G);
          }
        });
      else
        ++Result.NumEvents;
    }
    L.forEach(Close);
  }

  Lives L;
  for (size_t I = 0; I < Count; ++I) {
    const Record &R = Records[I];
    bool Keep = !isAccess(R.Kind) && R.Kind != What::Forget;
    if (isAccess(R.Kind)) {
      forEachGranule(R, [&](uint64_t G, unsigned, unsigned) {
        Keep |= IsShared[L.at(G).Number];
      });
      Result.NumSharedEvents += Keep;
    } else if (R.Kind == What::Forget) {
      forEachGranule(R, [&](uint64_t G, unsigned First, unsigned Last) {
        const Life *Found = L.find(G);
        if (!Found)
          return;
        Keep |= IsShared[Found->Number];
        if (Life::isAll(First, Last))
          L.end(G);
      });
    }
    if (Keep)
      Result.Records.push_back(R);
  }
  return Result;
}

} // namespace trace
