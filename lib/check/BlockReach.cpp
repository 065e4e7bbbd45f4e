//===- BlockReach.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/BlockReach.h"
#include <algorithm>

using namespace atsan::check;

namespace {
constexpr uint32_t Many = ~0u; ///< Stands for several threads.
} // namespace

BlockReach::BlockReach(BlockUnits &Units, Limits &Limit)
    : Units(Units), Limit(Limit), Exits(Units.ranges().size()),
      WithShape(Units.shapes().size()), Held(Units.shapes().size()),
      FromExit(Units.shapes().size()) {
  for (uint32_t S = 0; S < Units.shapes().size(); ++S) {
    const std::vector<UnitItem> &Items = Units.shapes()[S].Items;
    for (uint32_t I = 0; I < Items.size(); ++I)
      if (Items[I].Kind == UnitItem::Access && Items[I].IsFirst)
        Exits[Items[I].Operand].push_back({S, I});
  }
  size_t Items = 0;
  PeriodId Periods = 0;
  uint32_t Threads = 0;
  for (uint32_t I = 0; I < Units.instances().size(); ++I) {
    const UnitInstance &Of = Units.instances()[I];
    WithShape[Of.Shape].push_back(I);
    FirstItem.push_back(Items);
    Items += shapeOf(I).Items.size();
    Periods = std::max({Periods, Of.FirstEdge + 1, Of.LastEdge + 1});
    Threads = std::max(Threads, Of.Thread + 1);
  }
  EndIn.resize(Periods);
  for (uint32_t I = 0; I < Units.instances().size(); ++I)
    EndIn[Units.instances()[I].LastEdge].push_back(I);
  ReachedAt.resize(2 * Exits.size());
  ExitsOf.resize(Exits.size());
  for (uint32_t I = 0; I < Units.instances().size(); ++I) {
    const std::vector<UnitItem> &Of = shapeOf(I).Items;
    const uint32_t Thread = Units.instances()[I].Thread;
    for (uint32_t Item = 0; Item < Of.size(); ++Item) {
      if (Of[Item].Kind != UnitItem::Access || !Of[Item].IsFirst)
        continue;
      std::vector<ThreadExits> &To = ExitsOf[Of[Item].Operand];
      auto Where =
          std::find_if(To.begin(), To.end(), [&](const ThreadExits &E) {
            return E.Thread == Thread;
          });
      if (Where == To.end())
        Where = To.insert(Where, ThreadExits{Thread, {}});
      Where->All.push_back({I, Item, Of[Item].Strong});
    }
  }
  Outside.resize(Threads);
  for (int L : {Free, Under}) {
    Back[L].resize(Items);
    Forward[L].resize(Items);
    Left[L].resize(Items);
    TargetAt[L].resize(2 * Exits.size());
    TargetThread[L].resize(2 * Exits.size());
    EdgesAt[L].resize(Periods);
    NextOf[L].resize(Threads);
  }
}

const std::vector<HeldSets::Id> &BlockReach::heldIn(uint32_t Shape) {
  std::vector<HeldSets::Id> &Of = Held[Shape];
  if (!Of.empty())
    return Of;
  HeldSets::Set Now;
  HeldSets::Id Number = HeldSets::Empty;
  for (const UnitItem &I : Units.shapes()[Shape].Items) {
    Of.push_back(Number);
    if (I.Kind == UnitItem::Access)
      continue;
    if (I.Kind == UnitItem::Acquire)
      Now.push_back({I.Operand, I.Strong});
    else
      Now.erase(std::remove_if(Now.begin(), Now.end(),
                               [&](const HeldSets::Member &M) {
                                 return M.Lock == I.Operand;
                               }),
                Now.end());
    Number = Units.sets().of(Now);
  }
  Of.push_back(Number);
  return Of;
}

bool BlockReach::usable(uint32_t Instance, uint32_t First) const {
  const UnitInstance &I = Units.instances()[Instance];
  const UnitInstance &Of = Units.instances()[First];
  return I.Thread != Of.Thread && !Units.before(I, Of) && !Units.before(Of, I);
}

uint32_t BlockReach::visits(const std::vector<Reached> &A,
                            const UnitItem &Exit) const {
  uint32_t Least = Never;
  auto Look = [&](uint32_t Access) {
    const auto Where = std::lower_bound(A.begin(), A.end(), Reached{Access, 0});
    if (Where != A.end() && Where->Access == Access)
      Least = std::min(Least, Where->Visits);
  };
  if (A.empty())
    return Never;
  for (uint32_t Range : Units.overlapping(Exit.Operand)) {
    Look(2 * Range + 1);
    if (Exit.Strong)
      Look(2 * Range);
  }
  return Least;
}

BlockReach::Answer BlockReach::ask(const Question &Asked) {
  const UnitInstance &First = Units.instances()[Asked.First];
  std::string Key;
  auto Add = [&](uint32_t Value) {
    Key.append(reinterpret_cast<const char *>(&Value), sizeof Value);
  };
  for (uint32_t Value :
       {First.Thread, First.First, First.Last, Asked.Holds, Asked.AtEnd,
        Asked.MaxVisits, uint32_t(Asked.Within), uint32_t(Asked.PairsOnly),
        uint32_t(Asked.Targets.size())})
    Add(Value);
  for (const std::vector<uint32_t> *Of : {&Asked.Targets, &Asked.Without})
    for (uint32_t Value : *Of)
      Add(Value);
  return Known.get(Key, [&] { return search(Asked); });
}

std::vector<BlockReach::Reached> BlockReach::search(const Question &Asked) {
  ++Searches;
  Q = &Asked;
  Usable = &usableWith(Asked.First);
  Found.clear();
  for (uint32_t Thread : Asked.Without)
    Outside[Thread] = true;
  Seconds.assign(1, HeldSets::Empty);
  for (size_t I = 0; I < Seconds.size() && Limit.why().empty(); ++I)
    searchWith(Seconds[I]);
  for (uint32_t Thread : Asked.Without)
    Outside[Thread] = false;
  std::sort(Found.begin(), Found.end(), [](const Reached &A, const Reached &B) {
    return A.Access != B.Access ? A.Access < B.Access : A.Visits < B.Visits;
  });
  Found.erase(std::unique(Found.begin(), Found.end(),
                          [](const Reached &A, const Reached &B) {
                            return A.Access == B.Access;
                          }),
              Found.end());
  return std::move(Found);
}

/// Searches where the second transaction, if there is one that outlives the
/// first, holds no more than Second throughout.
void BlockReach::searchWith(HeldSets::Id Second) {
  ++Now;
  OfSecond = Second;
  Holds = Units.unionOf(Q->Holds, Second);
  Ends.clear();
  for (int L : {Free, Under})
    std::fill(NextOf[L].begin(), NextOf[L].end(), 0);
  Targets.clear();
  for (uint32_t Access : Q->Targets)
    Targets.push_back({Access / 2, Many, Access % 2 != 0,
                       Q->Within ? Layer::Under : Layer::Free});
  for (Visits = 1; Visits <= Q->MaxVisits && !Targets.empty(); ++Visits) {
    std::vector<Target> These;
    These.swap(Targets);
    for (const Target &T : These)
      expand(T);
  }
}

/// Leaves at all accesses that conflict with the target and can come right
/// before it.
void BlockReach::expand(const Target &T) {
  for (uint32_t Range : Units.overlapping(T.Range))
    for (const ThreadExits &Of : ExitsOf[Range]) {
      if (Of.Thread == T.Thread || Outside[Of.Thread] ||
          (T.L == Free && covered(Of.Thread)))
        continue;
      if (Limit.reached())
        return;
      for (const Exit &E : Of.All)
        if (T.Strong || E.Strong)
          leave(E.Instance, E.Item, T.L);
    }
  while (!Ends.empty() && !Limit.reached()) {
    const End E = Ends.back();
    Ends.pop_back();
    cross(E.Instance, E.L);
  }
}

const std::vector<bool> &BlockReach::usableWith(uint32_t First) {
  const UnitInstance &Of = Units.instances()[First];
  std::vector<bool> &Known = Usables[{Of.Thread, Of.First, Of.Last}];
  if (Known.empty())
    for (uint32_t I = 0; I < Units.instances().size(); ++I)
      Known.push_back(usable(I, First));
  return Known;
}

void BlockReach::leave(uint32_t Instance, uint32_t Exit, Layer L) {
  uint32_t &Mark = Left[L][FirstItem[Instance] + Exit];
  if (Mark == Now || isOut(Instance) ||
      Left[Free][FirstItem[Instance] + Exit] == Now)
    return;
  Mark = Now;
  if (L == Under) {
    const HeldSets::Id Held = heldIn(Units.instances()[Instance].Shape)[Exit];
    if (Units.sets().exclude(Q->Holds, Held))
      return;
    enterSecond(Instance, Exit);
    if (Units.sets().exclude(Holds, Held))
      return;
  }
  enterFrom(Instance, Exit + 1, shapeOf(Instance).Items[Exit].Transaction, L);
  sweepBack(Instance, Exit, L);
}

const std::vector<BlockReach::Hold> &BlockReach::holdsFrom(uint32_t Shape,
                                                           uint32_t Exit) {
  auto [Known, IsNew] = FromExit[Shape].emplace(Exit, std::vector<Hold>());
  std::vector<Hold> &Of = Known->second;
  if (!IsNew)
    return Of;
  const std::vector<UnitItem> &Items = Units.shapes()[Shape].Items;
  HeldSets::Set Now = Units.sets()[heldIn(Shape)[Exit]];
  Of.push_back({Exit + 1, heldIn(Shape)[Exit]});
  for (uint32_t I = Exit + 1; I < Items.size(); ++I) {
    if (Items[I].Kind == UnitItem::Access) {
      if (Items[I].Transaction != Items[Exit].Transaction)
        break;
      continue;
    }
    const auto Lock =
        std::find_if(Now.begin(), Now.end(), [&](const HeldSets::Member &M) {
          return M.Lock == Items[I].Operand;
        });
    if (Items[I].Kind == UnitItem::Acquire || Lock == Now.end())
      continue;
    Now.erase(Lock);
    Of.push_back({I + 1, Units.sets().of(Now)});
  }
  return Of;
}

/// Enters a second transaction, which is left at Exit and entered later, and
/// outlives the first.
void BlockReach::enterSecond(uint32_t Instance, uint32_t Exit) {
  const uint32_t Shape = Units.instances()[Instance].Shape;
  for (const Hold &H : holdsFrom(Shape, Exit)) {
    if (Units.sets().subset(H.Locks, OfSecond))
      return enterFrom(Instance, H.Item,
                       Units.shapes()[Shape].Items[Exit].Transaction, Free);
    if (!Units.sets().exclude(H.Locks, Q->AtEnd) &&
        std::find(Seconds.begin(), Seconds.end(), H.Locks) == Seconds.end())
      Seconds.push_back(H.Locks);
  }
}

/// Enters the transaction at its accesses from Item on: it is left before it is
/// entered.
void BlockReach::enterFrom(uint32_t Instance, uint32_t Item,
                           uint32_t Transaction, Layer L) {
  const std::vector<UnitItem> &Items = shapeOf(Instance).Items;
  for (uint32_t I = Item; I < Items.size(); ++I) {
    uint32_t &Mark = Forward[L][FirstItem[Instance] + I];
    if (Mark == Now || Forward[Free][FirstItem[Instance] + I] == Now)
      return;
    if (Items[I].Kind != UnitItem::Access) {
      if (L == Under && lacksFor(Items[I]))
        return;
    } else if (Items[I].Transaction != Transaction) {
      return;
    } else if (Items[I].IsLast) {
      enter(Instance, Items[I], L);
    }
    Mark = Now;
  }
}

/// Would a transaction that is under way have to give a lock up for the item?
bool BlockReach::lacksFor(const UnitItem &LockItem) const {
  for (const HeldSets::Member &M : Units.sets()[Holds])
    if (M.Lock == LockItem.Operand && (M.Exclusive || LockItem.Strong))
      return true;
  return false;
}

/// Enters at all accesses from which the unit can go on to the item From.
void BlockReach::sweepBack(uint32_t Instance, uint32_t From, Layer L) {
  const std::vector<UnitItem> &Items = shapeOf(Instance).Items;
  for (uint32_t I = From + 1; I-- > 0;) {
    const UnitItem &Item = Items[I];
    uint32_t &Mark = Back[L][FirstItem[Instance] + I];
    if (Mark == Now || Back[Free][FirstItem[Instance] + I] == Now)
      return;
    if (Item.Kind != UnitItem::Access) {
      if (L == Under && lacksFor(Item))
        return;
    } else if (Q->PairsOnly && Item.Transaction != Items[From].Transaction) {
      return;
    } else if (Item.IsLast) {
      enter(Instance, Item, L);
    }
    Mark = Now;
  }
  if (!Q->PairsOnly)
    Ends.push_back({Instance, L});
}

void BlockReach::sweepEnd(uint32_t Instance, Layer L) {
  const uint32_t Shape = Units.instances()[Instance].Shape;
  const size_t Size = Units.shapes()[Shape].Items.size();
  if (!isOut(Instance) &&
      (L == Free || !Units.sets().exclude(Holds, heldIn(Shape)[Size])))
    sweepBack(Instance, uint32_t(Size - 1), L);
}

/// Goes from the begin of a unit to the ends of those before it.
void BlockReach::cross(uint32_t Instance, Layer L) {
  const UnitInstance &Of = Units.instances()[Instance];
  if (L == Free || Holds == HeldSets::Empty) {
    const std::vector<uint32_t> &All = Units.ofThread(Of.Thread);
    for (uint32_t &I = NextOf[L][Of.Thread];
         I < All.size() && Units.canPrecede(All[I], Instance); ++I)
      sweepEnd(All[I], L);
  } else {
    const BlockOrder::List Earlier = Units.earlier(Instance, Holds);
    for (const BlockOrder::Earlier &E : *Earlier)
      sweepEnd(E.Unit, L);
  }
  if (EdgesAt[L][Of.FirstEdge] == Now)
    return;
  EdgesAt[L][Of.FirstEdge] = Now;
  for (PeriodId P : edgesFrom(Of))
    for (uint32_t I : EndIn[P])
      if (Units.instances()[I].Thread != Of.Thread)
        sweepEnd(I, L);
}

const std::vector<PeriodId> &BlockReach::edgesFrom(const UnitInstance &To) {
  const auto [Known, IsNew] =
      EdgesFrom.emplace(To.FirstEdge, std::vector<PeriodId>());
  if (IsNew)
    for (PeriodId P = 0; P < EndIn.size(); ++P)
      if (!EndIn[P].empty() &&
          Units.edge(Units.instances()[EndIn[P].front()], To))
        Known->second.push_back(P);
  return Known->second;
}

void BlockReach::enter(uint32_t Instance, const UnitItem &Entry, Layer L) {
  const uint32_t Access = accessOf(Entry);
  const uint32_t Thread = Units.instances()[Instance].Thread;
  if (ReachedAt[Access] != Now) {
    ReachedAt[Access] = Now;
    Found.push_back({Access, Visits});
  }
  Target T{Entry.Operand, Thread, Entry.Strong, L};
  if (TargetAt[L][Access] != Now) {
    TargetAt[L][Access] = Now;
    TargetThread[L][Access] = Thread;
  } else if (TargetThread[L][Access] != Thread &&
             TargetThread[L][Access] != Many) {
    TargetThread[L][Access] = Many;
    T.Thread = Many; // The exits of the other thread are done with quickly.
  } else {
    return;
  }
  Targets.push_back(T);
}
