//===- RowSet.cpp ----------------------------------------------------------//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/model/RowSet.h"
#include <algorithm>
#include <cstring>

using namespace atsan::model;

void RowSet::clear() {
  if (Hashes.empty())
    return;
  Rows.clear();
  Hashes.clear();
  Numbers.clear();
}

std::pair<uint32_t, bool> RowSet::add(const Value *Row, size_t Width,
                                      Value Tag) {
  // Two values at once, in two sums that do not wait for each other.
  uint64_t H = static_cast<uint64_t>(Tag) * 0x9e3779b97f4a7c15u, G = H;
  size_t I = 0;
  for (; I + 4 <= Width; I += 4) {
    uint64_t Pair[2];
    std::memcpy(Pair, Row + I, sizeof(Pair));
    H = (H ^ Pair[0] ^ H >> 32) * 0xff51afd7ed558ccdu;
    G = (G ^ Pair[1] ^ G >> 32) * 0xc4ceb9fe1a85ec53u;
  }
  for (; I < Width; ++I)
    H = (H ^ static_cast<uint32_t>(Row[I]) ^ H >> 32) * 0xff51afd7ed558ccdu;
  H ^= G ^ H >> 32 ^ G >> 29;
  uint32_t &Place = Numbers.place(H, [&](uint32_t Number) {
    const Value *Old = Rows.data() + size_t(Number) * (Width + 1);
    return Hashes[Number] == H && Old[Width] == Tag &&
           std::equal(Row, Row + Width, Old);
  });
  if (Place)
    return {Place - 1, false};
  Hashes.push_back(H);
  Rows.insert(Rows.end(), Row, Row + Width);
  Rows.push_back(Tag);
  Place = uint32_t(Hashes.size());
  Numbers.grow(Hashes.size(), [this](uint32_t I) { return Hashes[I]; });
  return {uint32_t(Hashes.size() - 1), true};
}
