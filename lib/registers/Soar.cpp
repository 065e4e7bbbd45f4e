//===- Soar.cpp -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The letters of the conditions are those of figure 3 of LPD-REPORT-2008-011.
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Algorithms.h"
#include <algorithm>

using namespace atsan::registers;

namespace {

using Operations = std::vector<const Operation *>;

/// The reads that can stand behind the last write, \p Last.
bool isLinearizable(const Operation &Read, const Operations &Reads,
                    const Operation &Last) {
  return Read.Argument == Last.Argument && // l1
         !Read.precedes(Last) &&           // l2
         std::all_of(Reads.begin(), Reads.end(), [&](const Operation *Other) {
           return !Read.precedes(*Other) || // l3
                  Other->Argument == Last.Argument;
         });
}

bool isAtomic(const Register &R, Operations Writes, Operations Reads) {
  for (; !Writes.empty(); Writes.pop_back()) {
    const Operation &Last = *Writes.back();
    Operations Left;
    for (const Operation *Read : Reads) {
      if (isLinearizable(*Read, Reads, Last))
        continue;
      if (Last.precedes(*Read)) // a2
        return false;
      Left.push_back(Read);
    }
    Reads.swap(Left); // a3
  }
  return std::all_of(Reads.begin(), Reads.end(), [&](const Operation *Read) {
    return Read->Argument == R.Initial; // a1
  });
}

} // namespace

Decision atsan::registers::decideSoar(const Register &R) {
  Operations Writes, Reads;
  for (const Operation &O : R.Operations)
    (O.What == Kind::Read ? Reads : Writes).push_back(&O);
  Decision D;
  D.Algorithm = "soar";
  D.Is =
      isAtomic(R, Writes, Reads) ? Verdict::Linearizable : Verdict::Violation;
  return D;
}
