//===- BlockCycles.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/BlockCycles.h"
#include <algorithm>
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
  WithShape.assign(Shapes.size(), {});
  Held.assign(Shapes.size(), {});
  for (uint32_t S = 0; S < Shapes.size(); ++S)
    for (uint32_t I = 0; I < Shapes[S].Items.size(); ++I)
      if (Shapes[S].Items[I].Kind == UnitItem::Access &&
          Shapes[S].Items[I].IsLast)
        Entries[Shapes[S].Items[I].Operand].push_back({S, I});
  uint32_t Threads = 0;
  for (uint32_t I = 0; I < Units.instances().size(); ++I) {
    WithShape[Units.instances()[I].Shape].push_back(I);
    Threads = std::max(Threads, Units.instances()[I].Thread + 1);
  }
  ThreadUsed.assign(Threads, false);

  for (Depth = 2; Depth <= Threads && !Done; ++Depth) {
    Deeper = false;
    for (uint32_t I = 0; I < Units.instances().size() && !Done; ++I) {
      const UnitShape &S = shapeOf(I);
      for (uint32_t Exit = 0; Exit < S.Items.size() && !Done; ++Exit)
        if (S.Items[Exit].Kind == UnitItem::Access && S.Items[Exit].IsFirst &&
            S.Transactions[S.Items[Exit].Transaction].IsRegion)
          from(I, Exit);
    }
    if (!Deeper || PairsOnly)
      break;
  }
}

/// Begins a path with a transaction that is left before it is entered.
void BlockCycles::from(uint32_t Instance, uint32_t Exit) {
  const UnitShape &S = shapeOf(Instance);
  bool HasEntry = false;
  for (uint32_t I = Exit + 1; I < S.Items.size(); ++I)
    HasEntry |= S.Items[I].Kind == UnitItem::Access && S.Items[I].IsLast &&
                S.Items[I].Transaction == S.Items[Exit].Transaction;
  if (!HasEntry)
    return;
  Visit V;
  V.Entered = V.Left = Instance;
  V.Exit = Exit;
  V.Entry = None;
  ThreadUsed[Units.instances()[Instance].Thread] = true;
  Path.assign(1, V);
  extend();
  ThreadUsed[Units.instances()[Instance].Thread] = false;
}

/// To all that can come after the last visit.
void BlockCycles::extend() {
  const Visit Last = Path.back();
  if (Last.Exit == None) {
    for (uint32_t I = 0; I < Units.instances().size() && !Done; ++I)
      if (Units.edge(Units.instances()[Last.Left], Units.instances()[I]))
        enter(I, None);
    return;
  }
  const UnitItem &Exit = item(Last.Left, Last.Exit);
  for (uint32_t Range : Units.overlapping(Exit.Operand))
    for (const Use &Entry : Entries[Range]) {
      if (!conflict(Exit, Units.shapes()[Entry.Shape].Items[Entry.Item]))
        continue;
      for (uint32_t I : WithShape[Entry.Shape]) {
        if (Done)
          return;
        enter(I, Entry.Item);
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
bool BlockCycles::sameBytes(const Visit &Before, const Visit &V, uint32_t Next,
                            uint32_t Entry) const {
  if (Before.Exit == None || V.Entry == None || V.Exit == None || Entry == None)
    return false;
  const UnitItem &A = item(Before.Left, Before.Exit);
  const UnitItem &B = item(Next, Entry);
  return conflict(A, B) && A.Operand == B.Operand &&
         A.Operand == item(V.Entered, V.Entry).Operand &&
         A.Operand == item(V.Left, V.Exit).Operand;
}

void BlockCycles::enter(uint32_t Instance, uint32_t Entry) {
  const UnitInstance &I = Units.instances()[Instance];
  if (ThreadUsed[I.Thread] || !usable(Instance) ||
      (Path.size() > 1 &&
       Units.before(I, Units.instances()[Path.back().Left])) ||
      (Path.size() > 1 &&
       sameBytes(Path[Path.size() - 2], Path.back(), Instance, Entry)))
    return;
  if (Limit.reached()) {
    Done = true;
    return;
  }
  ThreadUsed[I.Thread] = true;
  Visit V;
  V.Entered = V.Left = Instance;
  V.Entry = Entry;
  const uint32_t First =
      Entry == None ? 0 : shapeOf(Instance).Items[Entry].Transaction;
  leaveFrom(V, First, PairsOnly ? First : None);
  if (!PairsOnly && Entry != None)
    Units.forEachLater(
        Instance, [&](uint32_t Later, const std::vector<HeldSets::Id> &Sets) {
          if (Done || !usable(Later))
            return;
          V.Left = Later;
          for (HeldSets::Id Between : Sets) {
            V.Between = Between;
            leaveFrom(V, 0, None);
          }
        });
  // By starting a thread, or by being joined.
  if (Path.size() + 1 < Depth && !Done) {
    V.Left = Instance;
    V.Between = HeldSets::Empty;
    V.Exit = None;
    leave(V);
  }
  ThreadUsed[I.Thread] = false;
}

void BlockCycles::leaveFrom(Visit V, uint32_t FirstTransaction,
                            uint32_t LastTransaction) {
  const std::vector<UnitItem> &Items = shapeOf(V.Left).Items;
  for (V.Exit = 0; V.Exit < Items.size() && !Done; ++V.Exit) {
    const UnitItem &I = Items[V.Exit];
    if (I.Kind == UnitItem::Access && I.IsFirst &&
        I.Transaction >= FirstTransaction && I.Transaction <= LastTransaction)
      leave(V);
  }
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

void BlockCycles::leave(const Visit &V) {
  if (redundant(V))
    return;
  Path.push_back(V);
  if (Path.size() < Depth) {
    extend();
  } else {
    Deeper = true;
    tryClosing();
  }
  Path.pop_back();
}

/// Back to the first transaction, after the access by which it was left.
void BlockCycles::tryClosing() {
  const uint32_t Instance = Path[0].Entered;
  const UnitShape &S = shapeOf(Instance);
  const Visit &Last = Path.back();
  const UnitItem &Exit = item(Last.Left, Last.Exit);
  const HeldSets::Id HeldAtExit =
      heldIn(Units.instances()[Last.Left].Shape)[Last.Exit];
  for (uint32_t Entry = Path[0].Exit + 1; Entry < S.Items.size() && !Done;
       ++Entry) {
    const UnitItem &I = S.Items[Entry];
    if (I.Kind != UnitItem::Access || !I.IsLast ||
        I.Transaction != S.Items[Path[0].Exit].Transaction ||
        !conflict(Exit, I) || !overlap(Exit, I))
      continue;
    // If this is the transaction of the cycle that is left first of all, then
    // the last exit falls between its two accesses.
    if (Units.sets().exclude(HeldAtExit,
                             heldThroughout(Units.instances()[Instance].Shape,
                                            Path[0].Exit, Entry)) ||
        (Depth > 2 && (sameBytes(Path[Depth - 2], Last, Instance, Entry))))
      continue;
    Path[0].Entry = Entry;
    if ((*Wanted)(Path[0]) && feasible() && !(*Found)(Path))
      Done = true;
    Path[0].Entry = None;
  }
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

bool BlockCycles::feasible() {
  std::string Key;
  auto Add = [&](uint32_t Value) {
    Key.append(reinterpret_cast<const char *>(&Value), sizeof Value);
  };
  for (const Visit &V : Path) {
    Add(Units.instances()[V.Entered].Shape);
    Add(V.Entry);
    Add(V.Left == V.Entered ? None : Units.instances()[V.Left].Shape);
    Add(V.Exit);
    Add(V.Between);
    if (Depth == 2)
      continue; // Both are concurrent.
    for (const Visit &W : Path)
      for (uint32_t I : {V.Entered, V.Left})
        for (uint32_t J : {W.Entered, W.Left})
          Key += Units.before(Units.instances()[I], Units.instances()[J]) ? '1'
                                                                          : '0';
  }
  auto [Where, IsNew] = Known.emplace(std::move(Key), false);
  if (IsNew) {
    ++Tried;
    Where->second = findSchedule();
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
bool BlockCycles::findSchedule() {
  HeldSets &Sets = Units.sets();
  std::vector<Script> Scripts;
  for (const Visit &V : Path) {
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
    return Path[I].Entry == None ? 0 : size_t(Path[I].Entry);
  };
  auto AfterExit = [&](size_t I) {
    return Path[I].Exit == None ? Scripts[I].Lines.size() - 1
                                : Scripts[I].LeftBegin + Path[I].Exit + 1;
  };
  const size_t N = Path.size();
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
      Before(Path[I].Entered, Scripts[I].EnteredEnd, Path[J].Entered, 0);
      Before(Path[I].Entered, Scripts[I].EnteredEnd, Path[J].Left,
             Scripts[J].LeftBegin);
      Before(Path[I].Left, End, Path[J].Entered, 0);
      Before(Path[I].Left, End, Path[J].Left, Scripts[J].LeftBegin);
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
