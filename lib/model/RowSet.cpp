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
  std::fill(Table.begin(), Table.end(), None);
  Hashes.clear();
}

void RowSet::grow(size_t Width) {
  Table.assign(std::max<size_t>(16, 2 * Table.size()), None);
  for (uint32_t N = 0; N < Rows.size() / (Width + 1); ++N) {
    size_t At = Hashes[N] & (Table.size() - 1);
    while (Table[At] != None)
      At = (At + 1) & (Table.size() - 1);
    Table[At] = N;
  }
}

std::pair<uint32_t, bool> RowSet::add(const Value *Row, size_t Width,
                                      Value Tag) {
  if (2 * Hashes.size() >= Table.size())
    grow(Width);
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
  size_t At = H & (Table.size() - 1);
  for (; Table[At] != None; At = (At + 1) & (Table.size() - 1)) {
    const Value *Old = Rows.data() + Table[At] * (Width + 1);
    if (Hashes[Table[At]] == H && Old[Width] == Tag &&
        std::equal(Row, Row + Width, Old))
      return {Table[At], false};
  }
  Table[At] = Hashes.size();
  Hashes.push_back(H);
  Rows.insert(Rows.end(), Row, Row + Width);
  Rows.push_back(Tag);
  return {Table[At], true};
}
