//===- OneVariableBlocks.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/OneVariableBlocks.h"
#include <algorithm>

using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;

/// The most patterns of a block, and blocks of a site, that are kept: one that
/// can happen is enough.
static constexpr size_t MaxPatterns = 16, MaxBlocks = 64;

void OneVariableBlocks::take(const Event &E) {
  ++Count;
  const Step S = Parts.take(E);
  Held.take(E);
  Order.take(E); // Even if !HasOrder: periods tell blocks apart.
  if (S == Step::Begin) {
    if (E.Thread >= Regions.size())
      Regions.resize(size_t(E.Thread) + 1);
    Regions[E.Thread] = {Count, E};
  }
  if (isAccess(E.Kind)) {
    Variables.update(E.Address, E.Size,
                     [&](History &H, uint64_t) { access(H, E); });
  } else if (E.Kind == EventKind::Birth || E.Kind == EventKind::Death) {
    // This life of the bytes is over: all of it is known.
    Variables.visit(E.Address, E.Size,
                    [&](const History &H, uint64_t, uint64_t) { collect(H); });
    Variables.erase(E.Address, E.Size);
  }
}

void OneVariableBlocks::access(History &H, const Event &E) {
  const bool Writes = trace::writes(E.Kind);
  HeldSets::Set Now;
  for (const HeldLock &L : Held.held(E.Thread))
    Now.push_back({L.lock, L.IsExclusive()});
  const Recent::Access This = {
      {Count, E}, Order.period(E.Thread), Sets.of(std::move(Now))};
  NumBlocks += H.Accesses
                   .emplace(std::make_pair(Way(This.Held, Writes), This.Period),
                            This.Event)
                   .second;
  if (!Parts.inRegion(E.Thread))
    return;
  auto R =
      std::find_if(H.Recents.begin(), H.Recents.end(),
                   [&](const Recent &Each) { return Each.Thread == E.Thread; });
  if (R == H.Recents.end())
    R = H.Recents.insert(R, {E.Thread, 0, {}, {}});
  const uint64_t Transaction = Parts.transaction(E.Thread);
  if (R->Transaction != Transaction) {
    R->Transaction = Transaction;
    R->LastWrite = {};
  } else {
    addBlock(H, R->Last, This);
    // A read between two writes need not be next to either.
    if (Writes && R->LastWrite.Event.Number &&
        R->LastWrite.Event.Number != R->Last.Event.Number)
      addBlock(H, R->LastWrite, This);
  }
  R->Last = This;
  if (Writes)
    R->LastWrite = This;
}

void OneVariableBlocks::addBlock(History &H, const Recent::Access &First,
                                 const Recent::Access &Last) {
  const Event &A = First.Event.What, &B = Last.Event.What;
  HeldSets::Set Throughout;
  for (const HeldLock &L : Held.held(B.Thread))
    if (L.acquisition < First.Event.Number)
      Throughout.push_back({L.lock, L.IsExclusive()});
  const NumberedEvent &Begin = Regions[B.Thread];
  NumBlocks +=
      H.Blocks
          .emplace(BlockKey{First.Period, Last.Period, trace::writes(A.Kind),
                            trace::writes(B.Kind),
                            Sets.of(std::move(Throughout)), Begin.What.Address,
                            Begin.What.Location, A.Location, B.Location},
                   Block{Begin, First.Event, Last.Event, First.Held, Last.Held})
          .second;
}

void OneVariableBlocks::collect(const History &H) {
  for (const auto &[Key, Block] : H.Blocks) {
    std::vector<Pattern> Found;
    for (auto I = H.Accesses.begin();
         I != H.Accesses.end() && Found.size() < MaxPatterns;) {
      const Way How = I->first.first;
      const bool Excluded =
          Sets.exclude(Key.Held, How.first) ||
          !(How.second || (Key.FirstWrites && Key.LastWrites));
      if (Excluded) {
        I = H.Accesses.lower_bound({How, ~PeriodId(0)});
        continue;
      }
      const PeriodId P = I->first.second;
      if (Order.thread(P) != Order.thread(Key.First) &&
          !(HasOrder &&
            (Order.before(P, Key.First) || Order.before(Key.Last, P))))
        Found.push_back({Block.Begin, Block.First, I->second, Block.Last,
                         Block.HeldFirst, How.first, Block.HeldLast, Key.Held});
      ++I;
    }
    if (!Found.empty() &&
        AtSite[{Key.Region, Key.RegionLocation, Key.LastLocation}]++ <
            MaxBlocks)
      Patterns.push_back(std::move(Found));
  }
}

void OneVariableBlocks::finish() {
  Variables.visit(0, UINT64_MAX,
                  [&](const History &H, uint64_t, uint64_t) { collect(H); });
  for (const std::vector<Pattern> &Each : Patterns)
    for (const Pattern &P : Each)
      if (Found(P))
        break;
}
