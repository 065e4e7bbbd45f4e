//===- BlockCandidates.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/BlockCandidates.h"
#include <algorithm>

using namespace atsan::check;

std::vector<BlockCandidates::Span> BlockCandidates::spansOf(uint32_t Shape) {
  std::vector<Span> Of;
  const std::vector<UnitItem> &Items = Units.shapes()[Shape].Items;
  for (uint32_t Entry = 1; Entry < Items.size() && !Limit.reached(); ++Entry) {
    if (Items[Entry].Kind != UnitItem::Access || !Items[Entry].IsLast)
      continue;
    const HeldSets::Id AtEnd = Reach.heldIn(Shape)[Entry];
    HeldSets::Set Held = Units.sets()[AtEnd];
    bool IsNew = true; // The next exit begins a span.
    for (uint32_t I = Entry; I-- > 0;) {
      if (Items[I].Kind != UnitItem::Access) {
        // A lock that is taken here is not held throughout from earlier exits.
        const auto Lock = std::find_if(Held.begin(), Held.end(),
                                       [&](const HeldSets::Member &M) {
                                         return M.Lock == Items[I].Operand;
                                       });
        if (Lock != Held.end()) {
          Held.erase(Lock);
          IsNew = true;
        }
        continue;
      }
      if (Items[I].Transaction != Items[Entry].Transaction)
        break;
      if (!Items[I].IsFirst)
        continue;
      if (IsNew)
        Of.push_back({Entry, I, I + 1, Units.sets().of(Held), AtEnd});
      Of.back().Begin = I;
      IsNew = false;
    }
  }
  return Of;
}

std::vector<BlockCandidates::Candidate>
BlockCandidates::find(uint32_t MaxVisits, bool PairsOnly) {
  Spans.clear();
  Groups.clear();
  for (uint32_t S = 0; S < Units.shapes().size(); ++S)
    Spans.push_back(spansOf(S));
  std::vector<Candidate> All;
  if (!Limit.why().empty())
    return All;
  for (uint32_t I = 0; I < Units.instances().size(); ++I) {
    const UnitInstance &Of = Units.instances()[I];
    for (const Span &S : Spans[Of.Shape]) {
      Group &G = Groups[{Of.Thread, Of.First, Of.Last, S.Holds, S.AtEnd}];
      if (G.All.Targets.empty())
        G.All = {I,    S.Holds,     S.AtEnd,   {},
                 true, {Of.Thread}, MaxVisits, PairsOnly};
      G.All.Targets.push_back(BlockReach::accessOf(itemsOf(I)[S.Entry]));
      All.push_back({I, &S, &G});
    }
  }
  return All;
}

uint32_t BlockCandidates::visits(const Candidate &C, uint32_t Exit) {
  Group &G = *C.Of;
  if (!G.Reached) {
    std::vector<uint32_t> &Targets = G.All.Targets;
    std::sort(Targets.begin(), Targets.end());
    Targets.erase(std::unique(Targets.begin(), Targets.end()), Targets.end());
    G.Reached = Reach.ask(G.All);
    Targets = {};
  }
  return Reach.visits(*G.Reached, itemsOf(C.Instance)[Exit]);
}
