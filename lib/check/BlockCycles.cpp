//===- BlockCycles.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/BlockCycles.h"
#include <algorithm>
#include <string>

using namespace atsan::check;

static constexpr uint32_t None = Visit::None;

void BlockCycles::search(
    bool OnlyPairs, const std::function<bool(const Visit &)> &IsWanted,
    const std::function<bool(const std::vector<Visit> &)> &OnFound) {
  PairsOnly = OnlyPairs;
  Wanted = &IsWanted;
  Found = &OnFound;
  const std::vector<UnitShape> &Shapes = Units.shapes();
  Entries.assign(Units.ranges().size(), {});
  Taken.assign(Shapes.size(), {});
  FirstTransaction.clear();
  uint32_t Transactions = 0;
  for (uint32_t S = 0; S < Shapes.size(); ++S) {
    FirstTransaction.push_back(Transactions);
    Transactions += uint32_t(Shapes[S].Transactions.size());
    for (uint32_t I = 0; I < Shapes[S].Items.size(); ++I)
      if (Shapes[S].Items[I].Kind == UnitItem::Access &&
          Shapes[S].Items[I].IsLast)
        Entries[Shapes[S].Items[I].Operand].push_back({S, I});
  }
  uint32_t Threads = 0;
  for (const UnitInstance &I : Units.instances())
    Threads = std::max(Threads, I.Thread + 1);
  ThreadUsed.assign(Threads, false);

  std::vector<BlockCandidates::Candidate> All =
      Candidates.find(PairsOnly ? 1 : Threads, PairsOnly);
  for (Depth = 2; Depth <= (PairsOnly ? 2 : Threads) && !All.empty(); ++Depth) {
    size_t Kept = 0;
    for (size_t I = 0; I < All.size(); ++I) {
      if (Done)
        return;
      if (from(All[I]))
        All[Kept++] = All[I];
    }
    All.resize(Kept);
  }
}

/// Begins paths with a transaction that is left before it is entered. False if
/// it is on no cycle longer than Depth, or none is wanted.
bool BlockCycles::from(const BlockCandidates::Candidate &C) {
  const std::vector<UnitItem> &Items = shapeOf(C.Instance).Items;
  const uint32_t Thread = Units.instances()[C.Instance].Thread;
  const UnitItem &Entry = Items[C.Exits->Entry];
  BlockReach::Answer Reached;
  Visit V;
  V.Entered = V.Left = C.Instance;
  V.Entry = C.Exits->Entry;
  HeldByFirst = C.Exits->Holds;
  Deeper = false;
  ThreadUsed[Thread] = true;
  Candidates.forEachExit(C, [&](uint32_t Exit) {
    V.Exit = Exit;
    Done |= Limit.reached();
    if (Done || !(*Wanted)(V))
      return !Done;
    uint32_t Visits = Candidates.visits(C, Exit);
    if (Visits == BlockReach::Never)
      return true;
    if (Visits < Depth) {
      if (!Reached)
        Reached = Reach.ask({C.Instance,
                             C.Exits->Holds,
                             C.Exits->AtEnd,
                             {BlockReach::accessOf(Entry)},
                             true,
                             {Thread},
                             maxVisits(Depth - 1),
                             PairsOnly});
      Visits = Reach.visits(*Reached, Items[Exit]);
    }
    if (Visits < Depth) {
      Path.assign(1, V);
      extend(true);
    } else {
      Deeper |= mayBeDeeper(Visits);
    }
    return !Done;
  });
  ThreadUsed[Thread] = false;
  return Deeper;
}

/// Is there a way from the first transaction's exit to the visit that was added
/// last, as far as BlockReach sees?
bool BlockCycles::leads(bool Within) {
  const Visit &Next = Path.back();
  const size_t Rest = Depth - Path.size();
  if (Next.Entry == None || Rest == 1)
    return true; // To look costs less here than to ask.
  BlockReach::Question Q;
  Q.First = Path[0].Entered;
  Q.Holds = HeldByFirst;
  Q.AtEnd = atEnd();
  Q.Targets = {BlockReach::accessOf(item(Next.Entered, Next.Entry))};
  Q.Within = Within;
  Q.MaxVisits = maxVisits(Rest);
  Q.PairsOnly = PairsOnly;
  for (const Visit &V : Path)
    Q.Without.push_back(Units.instances()[V.Entered].Thread);
  std::sort(Q.Without.begin(), Q.Without.end());
  const uint32_t Visits =
      Reach.visits(*Reach.ask(Q), item(Path[0].Left, Path[0].Exit));
  if (Visits > Rest)
    Deeper |= mayBeDeeper(Visits);
  return Visits <= Rest;
}

/// Extends the path by all that can come right before the visit that was added
/// last.
void BlockCycles::extend(bool Within) {
  Deeper |= Path.size() + 1 == Depth;
  const Visit Next = Path.back();
  if (Next.Entry == None) {
    for (uint32_t I = 0; I < Units.instances().size() && !Done; ++I)
      if (Units.edge(Units.instances()[I], Units.instances()[Next.Entered]))
        leave(I, None, Within);
    return;
  }
  const UnitItem &Entry = item(Next.Entered, Next.Entry);
  for (uint32_t Range : Units.overlapping(Entry.Operand))
    for (const Use &Exit : Reach.exits(Range)) {
      if (!conflict(Entry, Units.shapes()[Exit.Shape].Items[Exit.Item]))
        continue;
      for (uint32_t I : Reach.withShape(Exit.Shape)) {
        if (Done)
          return;
        leave(I, Exit.Item, Within);
      }
    }
}

/// Are the two steps to and from \p V by the same bytes, of which three
/// transactions then make a shorter cycle, in whichever order they are?
bool BlockCycles::sameBytes(uint32_t Before, uint32_t Exit, const Visit &V,
                            const Visit &After) const {
  if (Exit == None || V.Entry == None || V.Exit == None || After.Entry == None)
    return false;
  const UnitItem &A = item(Before, Exit);
  const UnitItem &B = item(After.Entered, After.Entry);
  return conflict(A, B) && A.Operand == B.Operand &&
         A.Operand == item(V.Entered, V.Entry).Operand &&
         A.Operand == item(V.Left, V.Exit).Operand;
}

/// Adds the visit that leaves at \p Exit, wherever it may be entered.
void BlockCycles::leave(uint32_t Instance, uint32_t Exit, bool Within) {
  const UnitInstance &I = Units.instances()[Instance];
  if (ThreadUsed[I.Thread] || !usable(Instance) ||
      (Path.size() > 1 &&
       (Units.before(Units.instances()[Path.back().Entered], I) ||
        sameBytes(Instance, Exit, Path.back(), Path[Path.size() - 2]))))
    return;
  if (Limit.reached()) {
    Done = true;
    return;
  }
  if (Within && Exit != None &&
      Units.sets().exclude(HeldByFirst, heldIn(I.Shape)[Exit]))
    return;
  ThreadUsed[I.Thread] = true;
  Visit V;
  V.Entered = V.Left = Instance;
  V.Exit = Exit;
  const uint32_t Last =
      Exit == None ? None : shapeOf(Instance).Items[Exit].Transaction;
  enterAt(V, PairsOnly ? Last : 0, Last, Within);
  const bool Closes = Path.size() + 1 == Depth;
  if (!PairsOnly && Exit != None)
    Closes ? closeEarlier(V, Within) : enterEarlier(V, Within);
  // The visit may also be entered by a start or join.
  if (!Closes && Exit != None && !Done) {
    V.Entry = None;
    enter(V, Within);
  }
  ThreadUsed[I.Thread] = false;
}

/// Enters the visit at the last accesses of its transactions from
/// FirstTransaction to LastTransaction.
void BlockCycles::enterAt(Visit V, uint32_t FirstTransaction,
                          uint32_t LastTransaction, bool Within) {
  const std::vector<UnitItem> &Items = shapeOf(V.Entered).Items;
  for (V.Entry = 0; V.Entry < Items.size() && !Done; ++V.Entry) {
    const UnitItem &I = Items[V.Entry];
    if (I.Kind == UnitItem::Access && I.IsLast &&
        I.Transaction >= FirstTransaction && I.Transaction <= LastTransaction)
      enter(V, Within);
  }
}

/// Enters the visit in the earlier units of the same thread.
void BlockCycles::enterEarlier(Visit V, bool Within) {
  const BlockOrder::List All =
      Units.earlier(V.Left, Within ? HeldByFirst : HeldSets::Empty);
  for (const BlockOrder::Earlier &E : *All) {
    if (Done)
      return;
    if (!usable(E.Unit))
      continue;
    V.Entered = E.Unit;
    V.Between = E.Between;
    enterAt(V, 0, None, Within);
  }
}

/// Enters the visit in the earlier units of the same thread, at accesses that
/// the first transaction leads to.
void BlockCycles::closeEarlier(Visit V, bool Within) {
  const uint32_t Thread = Units.instances()[V.Left].Thread;
  const UnitItem &Exit = item(Path[0].Left, Path[0].Exit);
  BlockOrder::List All;
  for (uint32_t Range : Units.overlapping(Exit.Operand))
    for (const Use &Entry : Entries[Range]) {
      if (!conflict(Exit, Units.shapes()[Entry.Shape].Items[Entry.Item]))
        continue;
      for (uint32_t Instance : Reach.withShape(Entry.Shape)) {
        if (Units.instances()[Instance].Thread != Thread || !usable(Instance) ||
            !Units.canPrecede(Instance, V.Left))
          continue;
        if (!All)
          All = Units.earlier(V.Left, Within ? HeldByFirst : HeldSets::Empty);
        V.Entered = Instance;
        V.Entry = Entry.Item;
        const auto [Begin, End] = std::equal_range(
            All->begin(), All->end(), BlockOrder::Earlier{Instance, 0});
        for (auto E = Begin; E != End && !Done; ++E) {
          V.Between = E->Between;
          enter(V, Within);
        }
      }
    }
}

HeldSets::Id BlockCycles::takenFrom(uint32_t Shape, size_t From, size_t To) {
  auto [Known, IsNew] =
      Taken[Shape].emplace(uint64_t(From) << 32 | To, HeldSets::Empty);
  if (!IsNew)
    return Known->second;
  const std::vector<UnitItem> &Items = Units.shapes()[Shape].Items;
  HeldSets::Set All = Units.sets()[heldIn(Shape)[From]];
  for (size_t I = From; I < To; ++I)
    if (Items[I].Kind == UnitItem::Acquire)
      All.push_back({Items[I].Operand, Items[I].Strong});
  return Known->second = Units.sets().of(std::move(All));
}

/// The locks that are held at some time of the visit.
HeldSets::Id BlockCycles::taken(const Visit &V) {
  const uint32_t Shape = Units.instances()[V.Entered].Shape;
  const size_t Entry = V.Entry == None ? 0 : V.Entry;
  auto End = [&](uint32_t Of) { return Units.shapes()[Of].Items.size(); };
  if (V.Entered == V.Left) {
    const size_t Exit = V.Exit == None ? End(Shape) : V.Exit;
    return takenFrom(Shape, std::min(Entry, Exit), std::max(Entry, Exit));
  }
  const uint32_t Later = Units.instances()[V.Left].Shape;
  return Units.unionOf(
      Units.unionOf(takenFrom(Shape, Entry, End(Shape)), V.Between),
      takenFrom(Later, 0, V.Exit == None ? End(Later) : V.Exit));
}

/// Can the visit, which is left before it is entered, be under way from then
/// until the first transaction is entered? All that comes in between in the
/// cycle then happens meanwhile.
bool BlockCycles::mayOutlive(const Visit &V) {
  const HeldSets::Id Holds =
      heldThroughout(Units.instances()[V.Entered].Shape, V.Exit, V.Entry);
  if (Units.sets().exclude(Holds, atEnd()))
    return false;
  for (size_t I = 1; I < Path.size(); ++I)
    if (Units.sets().exclude(Holds, taken(Path[I])))
      return false;
  return true;
}

bool BlockCycles::inConflict(uint32_t Shape, uint32_t Transaction,
                             uint32_t Other, uint32_t OfOther) {
  const auto [Known, IsNew] =
      Conflicts.emplace(uint64_t(FirstTransaction[Shape] + Transaction) << 32 |
                            (FirstTransaction[Other] + OfOther),
                        false);
  if (!IsNew)
    return Known->second;
  for (const UnitItem &I : Units.shapes()[Shape].Items)
    if (I.Kind == UnitItem::Access && I.Transaction == Transaction)
      for (const UnitItem &J : Units.shapes()[Other].Items)
        if (J.Kind == UnitItem::Access && J.Transaction == OfOther &&
            conflict(I, J) && overlap(I, J))
          return Known->second = true;
  return false;
}

/// Would a shorter cycle do, since a transaction of \p New is in conflict with
/// one of a visit that is not next to it?
bool BlockCycles::redundant(const Visit &New) {
  auto Conflict = [&](const Visit &A, const Visit &B) {
    for (const auto &[U, End] :
         {std::make_pair(A.Entered, A.Entry), std::make_pair(A.Left, A.Exit)})
      for (const auto &[W, OtherEnd] :
           {std::make_pair(B.Entered, B.Entry), std::make_pair(B.Left, B.Exit)})
        if (End != None && OtherEnd != None &&
            inConflict(Units.instances()[U].Shape, item(U, End).Transaction,
                       Units.instances()[W].Shape,
                       item(W, OtherEnd).Transaction))
          return true;
    return false;
  };
  const bool IsLast = Path.size() + 1 == Depth;
  for (size_t J = IsLast; J + 1 < Path.size(); ++J)
    if (Conflict(Path[J], New))
      return true;
  return false;
}

bool BlockCycles::overlap(const UnitItem &A, const UnitItem &B) const {
  if (A.Operand == B.Operand)
    return true;
  const ByteRange &R = Units.ranges()[A.Operand];
  const ByteRange &S = Units.ranges()[B.Operand];
  return R.Life == S.Life && R.Address <= S.Address + (S.Size - 1) &&
         S.Address <= R.Address + (R.Size - 1);
}

/// Does the first transaction lead to the visit?
bool BlockCycles::closes(const Visit &V) const {
  if (V.Entry == None)
    return false;
  const UnitItem &Exit = item(Path[0].Left, Path[0].Exit);
  const UnitItem &Entry = item(V.Entered, V.Entry);
  return conflict(Exit, Entry) && overlap(Exit, Entry);
}

/// Adds the visit to the path. Within: all up to here happens while the first
/// transaction is under way (see BlockReach::Layer).
void BlockCycles::enter(const Visit &V, bool Within) {
  const bool Last = Path.size() + 1 == Depth;
  if (Last && !closes(V))
    return;
  bool Outlives = false;
  if (Within) {
    Outlives = V.isLeftFirst() && mayOutlive(V);
    Within = !Units.sets().exclude(HeldByFirst, taken(V));
    if (!Within && !Outlives)
      return;
  }
  if (redundant(V))
    return;
  Path.push_back(V);
  if (Last)
    tryClosing();
  else if ((Within && leads(true)) || ((!Within || Outlives) && leads(false)))
    extend(Within && !Outlives);
  Path.pop_back();
}

void BlockCycles::tryClosing() {
  const Visit &First = Path[0];
  if (Depth > 2 &&
      sameBytes(First.Left, First.Exit, Path.back(), Path[Depth - 2]))
    return;
  std::vector<Visit> Cycle(1, First);
  Cycle.insert(Cycle.end(), Path.rbegin(), Path.rend() - 1);
  if ((*Wanted)(First) && feasible(Cycle) && !(*Found)(Cycle))
    Done = true;
  Done |= !Limit.why().empty();
}

HeldSets::Id BlockCycles::heldThroughout(uint32_t Shape, uint32_t From,
                                         uint32_t To) {
  HeldSets::Set Rest = Units.sets()[heldIn(Shape)[From]];
  if (Rest.empty())
    return HeldSets::Empty;
  const std::vector<UnitItem> &Items = Units.shapes()[Shape].Items;
  for (uint32_t I = From; I < To; ++I)
    if (Items[I].Kind == UnitItem::Release)
      Rest.erase(std::remove_if(Rest.begin(), Rest.end(),
                                [&](const HeldSets::Member &M) {
                                  return M.Lock == Items[I].Operand;
                                }),
                 Rest.end());
  return Units.sets().of(std::move(Rest));
}

bool BlockCycles::feasible(const std::vector<Visit> &Cycle) {
  std::string Key;
  auto Add = [&](uint32_t Value) {
    Key.append(reinterpret_cast<const char *>(&Value), sizeof Value);
  };
  for (const Visit &V : Cycle) {
    Add(Units.instances()[V.Entered].Shape);
    Add(V.Entry);
    Add(V.Left == V.Entered ? None : Units.instances()[V.Left].Shape);
    Add(V.Exit);
    Add(V.Between);
    if (Depth == 2)
      continue; // The units of two visits are always concurrent.
    for (const Visit &W : Cycle)
      for (uint32_t I : {V.Entered, V.Left})
        for (uint32_t J : {W.Entered, W.Left})
          Key += Units.before(Units.instances()[I], Units.instances()[J]) ? '1'
                                                                          : '0';
  }
  auto [Where, IsNew] = Known.emplace(std::move(Key), false);
  if (IsNew) {
    ++Tried;
    Where->second = Schedule.exists(Cycle);
  }
  return Where->second;
}
