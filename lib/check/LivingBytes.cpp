//===- LivingBytes.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/LivingBytes.h"
#include <algorithm>

using namespace atsan;
using namespace atsan::check;

void LivingBytes::beginLife(const trace::Event &E) {
  ++LastLife;
  Lives.update(E.Address, E.Size,
               [&](uint32_t &Life, uint64_t) { Life = LastLife; });
}

static uint64_t hashOf(const ByteRange &R) {
  return NumberTable::mix(R.Address, R.Size << 48 ^ uint64_t(R.Life) << 20);
}

uint32_t LivingBytes::rangeOf(const ByteRange &R) {
  uint32_t &Place =
      Numbers.place(hashOf(R), [&](uint32_t Id) { return Ranges[Id] == R; });
  if (Place)
    return Place - 1;
  Ranges.push_back(R);
  Place = uint32_t(Ranges.size());
  Numbers.grow(Ranges.size(), [&](uint32_t Id) { return hashOf(Ranges[Id]); });
  return uint32_t(Ranges.size() - 1);
}

/// A thread that comes to the same place again mostly goes on as it did before:
/// that is next to what it looked at last, where the table is all over memory.
uint32_t LivingBytes::rangeOf(const ByteRange &R, const trace::Event &By) {
  if (By.Thread >= Latest.size())
    Latest.resize(size_t(By.Thread) + 1);
  uint32_t &Place = Latest[By.Thread];
  uint32_t Id = Place < Followers.size() ? Followers[Place] : 0;
  if (Id >= Ranges.size() || !(Ranges[Id] == R)) {
    Id = rangeOf(R);
    Followers.resize(2 * Ranges.size());
    Followers[Place] = Id;
  }
  Place = 2 * Id + trace::writes(By.Kind);
  return Id;
}

void LivingBytes::findOverlaps() {
  std::vector<uint32_t> Sorted(Ranges.size());
  for (uint32_t I = 0; I < Sorted.size(); ++I)
    Sorted[I] = I;
  std::sort(Sorted.begin(), Sorted.end(),
            [&](uint32_t A, uint32_t B) { return Ranges[A] < Ranges[B]; });
  Overlapping.assign(Ranges.size(), {});
  std::vector<uint32_t> Active; // Ranges that may reach the next ones.
  for (uint32_t I : Sorted) {
    const ByteRange &R = Ranges[I];
    Active.erase(std::remove_if(Active.begin(), Active.end(),
                                [&](uint32_t A) {
                                  return Ranges[A].Life != R.Life ||
                                         Ranges[A].Address +
                                                 (Ranges[A].Size - 1) <
                                             R.Address;
                                }),
                 Active.end());
    for (uint32_t A : Active) {
      Overlapping[A].push_back(I);
      Overlapping[I].push_back(A);
    }
    Overlapping[I].push_back(I);
    Active.push_back(I);
  }
}
