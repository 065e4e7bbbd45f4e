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

uint32_t LivingBytes::rangeOf(const ByteRange &R) {
  const uint32_t Id =
      RangeIds.emplace(R, uint32_t(Ranges.size())).first->second;
  if (Id == Ranges.size())
    Ranges.push_back(R);
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
