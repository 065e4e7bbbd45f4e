//===- StdVariables.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/StdVariables.h"
#include <algorithm>

using namespace atsan::trace;

void Lives::renew(ByteRange R) {
  if (R.Last != UINT64_MAX) {
    // What follows the range stays as it is.
    const auto I = std::prev(Since.upper_bound(R.Last + 1));
    Since.emplace(R.Last + 1, I->second);
  }
  Since.erase(Since.lower_bound(R.Begin),
              R.Last == UINT64_MAX ? Since.end() : Since.find(R.Last + 1));
  Since[R.Begin] = Count++;
}

template <typename Function>
void StdVariables::take(const Event &E, Function Accessed) {
  if (!E.Size)
    return;
  if (E.Kind == EventKind::Birth || E.Kind == EventKind::Death)
    Now.renew(ByteRange::of(E));
  else if (isAccess(E.Kind))
    Now.forEach(ByteRange::of(E), Accessed);
}

void StdVariables::collect(const Event &E) {
  take(E, [this](uint64_t Life, ByteRange R) {
    Seen.insert({Life, R.Begin, R.Last});
  });
}

void StdVariables::finish() {
  std::vector<uint64_t> Begins;
  for (auto I = Seen.begin(); I != Seen.end();) {
    // Accesses that hang together by common bytes cover all between their first
    // and last byte; each begin and end within is one of a variable.
    const uint64_t Life = I->Life;
    uint64_t Last = I->Last;
    Begins.assign(1, I->Begin);
    const auto First = I;
    for (++I; I != Seen.end() && I->Life == Life && I->Begin <= Last; ++I) {
      Begins.push_back(I->Begin);
      Last = std::max(Last, I->Last);
    }
    for (auto J = First; J != I; ++J)
      if (J->Last != Last)
        Begins.push_back(J->Last + 1);
    std::sort(Begins.begin(), Begins.end());
    Begins.erase(std::unique(Begins.begin(), Begins.end()), Begins.end());
    for (size_t B = 0; B < Begins.size(); ++B)
      Cells.push_back(
          {Life, Begins[B], B + 1 < Begins.size() ? Begins[B + 1] - 1 : Last});
  }
  Seen.clear();
  Now = Lives();
}

void StdVariables::follow(const Event &E, std::vector<size_t> &Variables) {
  Variables.clear();
  take(E, [&](uint64_t Life, ByteRange R) {
    auto I = std::lower_bound(Cells.begin(), Cells.end(),
                              Cell{Life, R.Begin, R.Begin});
    for (; I != Cells.end() && I->Life == Life && I->Begin <= R.Last; ++I)
      Variables.push_back(I - Cells.begin());
  });
}
