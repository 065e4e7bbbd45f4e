//===- BlockCycles.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/BlockCycles.h"
#include <algorithm>
#include <set>
#include <string>
#include <unordered_set>

using namespace atsan::check;

static constexpr uint32_t None = Visit::None;

void BlockCycles::search(
    const std::function<bool(const Visit &)> &IsWanted,
    const std::function<bool(const std::vector<Visit> &)> &OnFound) {
  Wanted = &IsWanted;
  Found = &OnFound;
  const std::vector<UnitShape> &Shapes = Units.shapes();
  Entries.assign(Units.ranges().size(), {});
  Exits.assign(Units.ranges().size(), {});
  WithShape.assign(Shapes.size(), {});
  Held.assign(Shapes.size(), {});
  for (uint32_t S = 0; S < Shapes.size(); ++S)
    for (uint32_t I = 0; I < Shapes[S].Items.size(); ++I)
      if (Shapes[S].Items[I].Kind == UnitItem::Access) {
        const UnitItem &Item = Shapes[S].Items[I];
        if (Item.IsLast)
          Entries[Item.Operand].push_back({S, I});
        if (Item.IsFirst)
          Exits[Item.Operand].push_back({S, I});
      }
  uint32_t Threads = 0;
  for (uint32_t I = 0; I < Units.instances().size(); ++I) {
    WithShape[Units.instances()[I].Shape].push_back(I);
    Threads = std::max(Threads, Units.instances()[I].Thread + 1);
  }
  ThreadUsed.assign(Threads, false);

  for (Depth = 2; Depth <= Threads && !Done; ++Depth) {
    Deeper = false;
    for (uint32_t I = 0; I < Units.instances().size() && !Done; ++I)
      from(I);
    if (!Deeper || PairsOnly)
      break;
  }
}

/// Begins paths with the transactions that are left before they are entered.
void BlockCycles::from(uint32_t Instance) {
  const UnitShape &S = shapeOf(Instance);
  const uint32_t Shape = Units.instances()[Instance].Shape;
  Visit V;
  V.Entered = V.Left = Instance;
  ThreadUsed[Units.instances()[Instance].Thread] = true;
  for (V.Exit = 0; V.Exit < S.Items.size(); ++V.Exit) {
    const UnitItem &Exit = S.Items[V.Exit];
    if (Exit.Kind != UnitItem::Access || !Exit.IsFirst)
      continue;
    for (V.Entry = V.Exit + 1; V.Entry < S.Items.size() && !Done; ++V.Entry) {
      const UnitItem &Entry = S.Items[V.Entry];
      if (Entry.Kind != UnitItem::Access || !Entry.IsLast ||
          Entry.Transaction != Exit.Transaction || !(*Wanted)(V))
        continue;
      HeldByFirst = heldThroughout(Shape, V.Exit, V.Entry);
      Path.assign(1, V);
      extend(true);
    }
  }
  ThreadUsed[Units.instances()[Instance].Thread] = false;
}

/// To all that can come right before the visit that was added last. Within:
/// whether the first transaction is under way from there on, see mayBeWithin().
void BlockCycles::extend(bool Within) {
  const Visit Next = Path.back();
  if (Next.Entry == None) {
    for (uint32_t I = 0; I < Units.instances().size() && !Done; ++I)
      if (Units.edge(Units.instances()[I], Units.instances()[Next.Entered]))
        leave(I, None, Within);
    return;
  }
  const UnitItem &Entry = item(Next.Entered, Next.Entry);
  for (uint32_t Range : Units.overlapping(Entry.Operand))
    for (const Use &Exit : Exits[Range]) {
      if (!conflict(Entry, Units.shapes()[Exit.Shape].Items[Exit.Item]))
        continue;
      for (uint32_t I : WithShape[Exit.Shape]) {
        if (Done)
          return;
        leave(I, Exit.Item, Within);
      }
    }
}

/// May the instance run while the first transaction is under way?
bool BlockCycles::usable(uint32_t Instance) const {
  const UnitInstance &First = Units.instances()[Path[0].Entered];
  const UnitInstance &I = Units.instances()[Instance];
  return I.Thread != First.Thread && !Units.before(I, First) &&
         !Units.before(First, I);
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

/// The visit that leaves at \p Exit: wherever it may have been entered.
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
  if (!PairsOnly && Exit != None && !Closes)
    Units.forEachEarlier(Instance, [&](uint32_t Earlier) {
      enterEarlier(V, Earlier, None, Within);
    });
  else if (!PairsOnly && Exit != None)
    forEachClosing(I.Thread, [&](uint32_t Earlier, uint32_t Entry) {
      enterEarlier(V, Earlier, Entry, Within);
    });
  // By being started, or after a join.
  if (!Closes && Exit != None && !Done) {
    V.Entered = Instance;
    V.Between = HeldSets::Empty;
    V.Entry = None;
    enter(V, Within);
  }
  ThreadUsed[I.Thread] = false;
}

/// At the last accesses of the transactions from one to another.
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

/// In an earlier unit of the same thread; \p Entry: None for all in it.
void BlockCycles::enterEarlier(Visit V, uint32_t Earlier, uint32_t Entry,
                               bool Within) {
  if (Done || !usable(Earlier))
    return;
  V.Entered = Earlier;
  Units.forEachBetween(Earlier, V.Left, [&](HeldSets::Id Between) {
    if (Within && Units.sets().exclude(HeldByFirst, Between))
      return;
    V.Between = Between;
    V.Entry = Entry;
    if (Entry == None)
      enterAt(V, 0, None, Within);
    else if (!Done)
      enter(V, Within);
  });
}

/// Calls F(Instance, Entry) for what the first transaction leads to in a
/// thread.
template <typename Function>
void BlockCycles::forEachClosing(uint32_t Thread, Function F) {
  const UnitItem &Exit = item(Path[0].Left, Path[0].Exit);
  for (uint32_t Range : Units.overlapping(Exit.Operand))
    for (const Use &Entry : Entries[Range])
      if (conflict(Exit, Units.shapes()[Entry.Shape].Items[Entry.Item]))
        for (uint32_t Instance : WithShape[Entry.Shape])
          if (Units.instances()[Instance].Thread == Thread && !Done)
            F(Instance, Entry.Item);
}

/// Let the first transaction be the one of the cycle that is left first of all
/// those that are left before they are entered. Then what follows the last
/// other one of those happens while it is under way, from that one's exit on;
/// so nothing in it can take a lock that the first transaction holds
/// throughout. True if that is so for a visit that is entered before it is
/// left.
bool BlockCycles::mayBeWithin(const Visit &V) {
  auto Takes = [&](uint32_t Instance, size_t From, size_t To) {
    const std::vector<UnitItem> &Items = shapeOf(Instance).Items;
    HeldSets::Set All =
        Units.sets()[heldIn(Units.instances()[Instance].Shape)[From]];
    for (size_t I = From; I < std::min(To, Items.size()); ++I)
      if (Items[I].Kind == UnitItem::Acquire)
        All.push_back({Items[I].Operand, Items[I].Strong});
    return Units.sets().exclude(HeldByFirst, Units.sets().of(std::move(All)));
  };
  if (HeldByFirst == HeldSets::Empty)
    return true;
  const size_t Entry = V.Entry == None ? 0 : V.Entry;
  if (V.Entered == V.Left)
    return !Takes(V.Entered, Entry, V.Exit);
  return !Takes(V.Entered, Entry, None) && !Takes(V.Left, 0, V.Exit);
}

/// Would a shorter cycle do, since a transaction of \p New is in conflict with
/// one of a visit that is not next to it?
bool BlockCycles::redundant(const Visit &New) const {
  auto Conflict = [&](const Visit &A, const Visit &B) {
    for (const auto &[U, End] :
         {std::make_pair(A.Entered, A.Entry), std::make_pair(A.Left, A.Exit)})
      for (const auto &[W, OtherEnd] : {std::make_pair(B.Entered, B.Entry),
                                        std::make_pair(B.Left, B.Exit)}) {
        if (End == None || OtherEnd == None)
          continue;
        const uint32_t P = item(U, End).Transaction;
        const uint32_t Q = item(W, OtherEnd).Transaction;
        for (const UnitItem &I : shapeOf(U).Items)
          for (const UnitItem &J : shapeOf(W).Items)
            if (I.Kind == UnitItem::Access && I.Transaction == P &&
                J.Kind == UnitItem::Access && J.Transaction == Q &&
                conflict(I, J) && overlap(I, J))
              return true;
      }
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

void BlockCycles::enter(const Visit &V, bool Within) {
  const bool IsLeftFirst =
      V.Entered == V.Left && V.Entry != None && V.Exit < V.Entry;
  if (Within && !IsLeftFirst && !mayBeWithin(V))
    return;
  if (redundant(V))
    return;
  Path.push_back(V);
  if (Path.size() < Depth) {
    extend(Within && !IsLeftFirst);
  } else {
    Deeper = true;
    tryClosing();
  }
  Path.pop_back();
}

/// By the access that leaves the first transaction.
void BlockCycles::tryClosing() {
  const Visit &First = Path[0], &Second = Path.back();
  if (Second.Entry == None)
    return;
  const UnitItem &Exit = item(First.Left, First.Exit);
  const UnitItem &Entry = item(Second.Entered, Second.Entry);
  if (!conflict(Exit, Entry) || !overlap(Exit, Entry) ||
      (Depth > 2 && sameBytes(First.Left, First.Exit, Second, Path[Depth - 2])))
    return;
  std::vector<Visit> Cycle(1, First);
  Cycle.insert(Cycle.end(), Path.rbegin(), Path.rend() - 1);
  if ((*Wanted)(First) && feasible(Cycle) && !(*Found)(Cycle))
    Done = true;
}

const std::vector<HeldSets::Id> &BlockCycles::heldIn(uint32_t Shape) {
  std::vector<HeldSets::Id> &Known = Held[Shape];
  if (!Known.empty())
    return Known;
  HeldSets::Set Now;
  for (const UnitItem &I : Units.shapes()[Shape].Items) {
    Known.push_back(Units.sets().of(Now));
    if (I.Kind == UnitItem::Acquire)
      Now.push_back({I.Operand, I.Strong});
    else if (I.Kind == UnitItem::Release)
      Now.erase(std::remove_if(Now.begin(), Now.end(),
                               [&](const HeldSets::Member &M) {
                                 return M.Lock == I.Operand;
                               }),
                Now.end());
  }
  Known.push_back(Units.sets().of(std::move(Now)));
  return Known;
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
      continue; // Both are concurrent.
    for (const Visit &W : Cycle)
      for (uint32_t I : {V.Entered, V.Left})
        for (uint32_t J : {W.Entered, W.Left})
          Key += Units.before(Units.instances()[I], Units.instances()[J]) ? '1'
                                                                          : '0';
  }
  auto [Where, IsNew] = Known.emplace(std::move(Key), false);
  if (IsNew) {
    ++Tried;
    Where->second = findSchedule(Cycle);
  }
  return Where->second;
}

namespace {
/// What a thread runs for its visit.
struct Script {
  struct Line {
    UnitItem::ItemKind Kind;
    HeldSets::Id Takes; ///< Of an acquire: that lock alone.
    HeldSets::Id Held;  ///< Before it.
  };
  /// This line not before that thread has come so far.
  struct Guard {
    size_t Line, Thread, Reached;
  };
  std::vector<Line> Lines; ///< One more at the end, which is never run.
  std::vector<Guard> Guards;
  size_t Goal = 0;
  size_t EnteredEnd = 0, LeftBegin = 0;
};
} // namespace

/// Runs the units of all visits side by side, in every way, until every access
/// of the cycle has happened in its order.
bool BlockCycles::findSchedule(const std::vector<Visit> &Cycle) {
  HeldSets &Sets = Units.sets();
  std::vector<Script> Scripts;
  for (const Visit &V : Cycle) {
    Script S;
    auto Append = [&](uint32_t Instance) {
      const uint32_t Shape = Units.instances()[Instance].Shape;
      const std::vector<HeldSets::Id> &HeldBefore = heldIn(Shape);
      const std::vector<UnitItem> &Items = Units.shapes()[Shape].Items;
      for (size_t I = 0; I < Items.size(); ++I)
        S.Lines.push_back({Items[I].Kind,
                           Items[I].Kind == UnitItem::Acquire
                               ? Sets.of({{Items[I].Operand, Items[I].Strong}})
                               : HeldSets::Empty,
                           HeldBefore[I]});
    };
    Append(V.Entered);
    S.EnteredEnd = S.Lines.size();
    if (V.Left != V.Entered) {
      for (const HeldSets::Member &M : HeldSets::Set(Sets[V.Between])) {
        const HeldSets::Id One = Sets.of({M});
        S.Lines.push_back({UnitItem::Acquire, One, HeldSets::Empty});
        S.Lines.push_back({UnitItem::Release, HeldSets::Empty, One});
      }
      S.LeftBegin = S.Lines.size();
      Append(V.Left);
    }
    S.Lines.push_back({UnitItem::Acquire, HeldSets::Empty, HeldSets::Empty});
    Scripts.push_back(std::move(S));
  }

  auto Entry = [&](size_t I) {
    return Cycle[I].Entry == None ? 0 : size_t(Cycle[I].Entry);
  };
  auto AfterExit = [&](size_t I) {
    return Cycle[I].Exit == None ? Scripts[I].Lines.size() - 1
                                 : Scripts[I].LeftBegin + Cycle[I].Exit + 1;
  };
  const size_t N = Cycle.size();
  for (size_t I = 0; I < N; ++I) {
    const size_t Next = (I + 1) % N;
    Scripts[Next].Guards.push_back({Entry(Next), I, AfterExit(I)});
    Scripts[I].Goal = std::max(Entry(I) + 1, AfterExit(I));
    for (size_t J = 0; J < N && N > 2; ++J) {
      if (I == J)
        continue;
      auto Before = [&](uint32_t A, size_t End, uint32_t B, size_t Begin) {
        if (Units.before(Units.instances()[A], Units.instances()[B]))
          Scripts[J].Guards.push_back({Begin, I, End});
      };
      const size_t End = Scripts[I].Lines.size() - 1;
      Before(Cycle[I].Entered, Scripts[I].EnteredEnd, Cycle[J].Entered, 0);
      Before(Cycle[I].Entered, Scripts[I].EnteredEnd, Cycle[J].Left,
             Scripts[J].LeftBegin);
      Before(Cycle[I].Left, End, Cycle[J].Entered, 0);
      Before(Cycle[I].Left, End, Cycle[J].Left, Scripts[J].LeftBegin);
    }
  }

  using Places = std::vector<uint32_t>;
  auto Blocked = [&](const Places &At, size_t I) {
    const Script &S = Scripts[I];
    if (At[I] + 1 == S.Lines.size())
      return true;
    for (const Script::Guard &G : S.Guards)
      if (G.Line == At[I] && At[G.Thread] < G.Reached)
        return true;
    for (size_t J = 0; J < N; ++J)
      if (J != I &&
          Sets.exclude(S.Lines[At[I]].Takes, Scripts[J].Lines[At[J]].Held))
        return true;
    return false;
  };
  std::unordered_set<std::string> Seen;
  std::vector<Places> ToDo(1, Places(N, 0));
  while (!ToDo.empty()) {
    Places At = std::move(ToDo.back());
    ToDo.pop_back();
    // What only gives others more choice can as well be done at once.
    for (bool Again = true; Again;) {
      Again = false;
      for (size_t I = 0; I < N; ++I)
        while (Scripts[I].Lines[At[I]].Kind != UnitItem::Acquire &&
               !Blocked(At, I)) {
          ++At[I];
          Again = true;
        }
    }
    if (!Seen.emplace(reinterpret_cast<const char *>(At.data()),
                      At.size() * sizeof At[0])
             .second)
      continue;
    ++States;
    if (Limit.reached()) {
      Done = true;
      return false;
    }
    bool Goal = true;
    for (size_t I = 0; I < N; ++I)
      Goal &= At[I] >= Scripts[I].Goal;
    if (Goal)
      return true;
    for (size_t I = 0; I < N; ++I)
      if (!Blocked(At, I)) {
        ToDo.push_back(At);
        ++ToDo.back()[I];
      }
  }
  return false;
}
