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

static size_t hashOf(const ByteRange &R) {
  uint64_t Hash =
      (R.Address ^ R.Size << 48 ^ uint64_t(R.Life) << 20) * 0x9e3779b97f4a7c15u;
  return Hash ^ (Hash >> 32);
}

void LivingBytes::grow() {
  Table.assign(Table.size() * 2, 0);
  for (uint32_t Id = 0; Id != Ranges.size(); ++Id) {
    size_t At = hashOf(Ranges[Id]) & (Table.size() - 1);
    while (Table[At])
      At = (At + 1) & (Table.size() - 1);
    Table[At] = Id + 1;
  }
}

uint32_t LivingBytes::rangeOf(const ByteRange &R) {
  size_t At = hashOf(R) & (Table.size() - 1);
  for (; Table[At]; At = (At + 1) & (Table.size() - 1)) {
    const ByteRange &Other = Ranges[Table[At] - 1];
    if (Other.Address == R.Address && Other.Size == R.Size &&
        Other.Life == R.Life)
      return Table[At] - 1;
  }
  Ranges.push_back(R);
  Table[At] = uint32_t(Ranges.size());
  if (Ranges.size() * 2 > Table.size())
    grow();
  return uint32_t(Ranges.size() - 1);
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
