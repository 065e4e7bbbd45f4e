//===- BlockUnits.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/BlockUnits.h"
#include <algorithm>

using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {
/// The number of items at which a unit is first reduced while it goes on.
constexpr size_t FirstReduction = 4096;
} // namespace

BlockUnits::ThreadState &BlockUnits::at(uint32_t Thread) {
  if (Thread >= Threads.size())
    Threads.resize(size_t(Thread) + 1);
  return Threads[Thread];
}

void BlockUnits::take(const Event &E) {
  ++Count;
  const Step S = Parts.take(E);
  const HandOvers::Effect L = Held.take(E, Count);
  if (L == HandOvers::Effect::Tells || L == HandOvers::Effect::Hears)
    Order.take(E, Count, L, Held);
  ThreadState &T = at(E.Thread);
  switch (E.Kind) {
  case EventKind::Read:
  case EventKind::Write:
  case EventKind::ReadModifyWrite:
    access(T, E, S == Step::Unary);
    break;
  case EventKind::Birth:
  case EventKind::Death:
    Bytes.beginLife(E);
    return;
  case EventKind::RegionBegin:
  case EventKind::RegionEnd:
  case EventKind::Restart:
    if (S == Step::Begin) {
      T.Region = {Count, E};
      T.HasTransaction = true;
    }
    if (S == Step::Begin || S == Step::Restart)
      openTransaction(T, true);
    break;
  case EventKind::Acquire:
  case EventKind::Release:
  case EventKind::AcquireShared:
  case EventKind::ReleaseShared:
    if (L == HandOvers::Effect::Lock) {
      const uint32_t Lock =
          LockIds.emplace(E.Address, uint32_t(Locks.size())).first->second;
      if (Lock == Locks.size())
        Locks.push_back(E.Address);
      const bool Takes =
          E.Kind == EventKind::Acquire || E.Kind == EventKind::AcquireShared;
      push(T, E, Takes ? UnitItem::Acquire : UnitItem::Release,
           E.Kind == EventKind::Acquire || E.Kind == EventKind::Release, Lock);
    }
    break;
  case EventKind::Start:
  case EventKind::Join:
  case EventKind::BarrierArrive:
  case EventKind::BarrierLeave:
  case EventKind::Wait: {
    const auto Other = uint32_t(E.Address);
    const bool IsStart = E.Kind == EventKind::Start;
    const bool IsJoin = E.Kind == EventKind::Join && E.Address != E.Thread;
    if (IsJoin)
      close(at(Other), Other);
    // Nothing leads through a thread that has no transaction.
    const bool IsEdge = IsStart || (IsJoin && at(Other).HasTransaction);
    const bool IsWithin = IsEdge && S == Step::Inside;
    if (IsWithin)
      meet(E, IsStart ? E.Thread : Other, true);
    Order.take(E); // Even if !HasOrder: periods tell units apart.
    if (IsEdge)
      EdgeOrder.take(E);
    if (IsWithin)
      meet(E, IsStart ? Other : E.Thread, false);
    at(E.Thread).HasTransaction |= IsStart || IsJoin;
    if (S == Step::Unary)
      divide(at(E.Thread), E.Thread);
    return;
  }
  case EventKind::End:
    close(T, E.Thread);
    return;
  case EventKind::Pointer:
    return;
  case EventKind::Signal:
  case EventKind::Woken:
  case EventKind::HappensBefore:
  case EventKind::HappensAfter:
  case EventKind::TryFailed:
    break;
  }
  if (!T.Unit.Items.empty() && !Parts.inRegion(E.Thread) &&
      Held.held(E.Thread).empty())
    close(T, E.Thread);
}

void BlockUnits::openTransaction(ThreadState &T, bool IsRegion) {
  T.Unit.Transactions.push_back({IsRegion, T.Region.What});
  T.Unit.Begins.push_back(IsRegion ? T.Region : NumberedEvent());
}

void BlockUnits::push(ThreadState &T, const Event &E, UnitItem::ItemKind Kind,
                      bool Strong, uint32_t Operand) {
  Open &U = T.Unit;
  U.Last = Order.period(E.Thread);
  U.LastEdge = EdgeOrder.period(E.Thread);
  if (U.Items.empty()) {
    U.First = U.Last;
    U.FirstEdge = U.LastEdge;
  }
  UnitItem I;
  I.Kind = Kind;
  I.Strong = Strong;
  I.Operand = Operand;
  I.Location = E.Location;
  if (Kind == UnitItem::Access)
    I.Transaction = uint32_t(U.Transactions.size()) - 1;
  U.Items.push_back(I);
  U.Events.push_back({Count, E});
  if (U.Items.size() < T.ReduceAt)
    return;
  reduce(U, true);
  T.ReduceAt = std::max(FirstReduction, 2 * U.Items.size());
}

void BlockUnits::access(ThreadState &T, const Event &E, bool Unary) {
  if (!E.Size)
    return;
  T.HasTransaction = true;
  if (Unary || T.Unit.Transactions.empty())
    openTransaction(T, !Unary);
  Bytes.forEachRange(E, [&](uint32_t Range) {
    push(T, E, UnitItem::Access, trace::writes(E.Kind), Range);
  });
}

/// Records one thread's side of a start or join that is within a transaction,
/// as an access: a write where the edge leaves, a read where it enters. The
/// begin and the end of a thread are transactions of their own.
void BlockUnits::meet(const Event &E, uint32_t Thread, bool Leaves) {
  const uint32_t Range = Bytes.rangeOf({Count, 1, ~uint32_t(0)});
  ThreadState &T = at(Thread);
  const bool IsOwn = Thread == E.Thread;
  if (!IsOwn)
    close(T, Thread);
  if (!IsOwn || T.Unit.Transactions.empty())
    openTransaction(T, IsOwn);
  Event Side = E;
  Side.Thread = Thread;
  push(T, Side, UnitItem::Access, Leaves, Range);
  if (!IsOwn)
    close(T, Thread);
}

void BlockUnits::divide(ThreadState &T, uint32_t Thread) {
  close(T, Thread);
  for (const HeldLock &H : Held.held(Thread)) {
    Event E;
    E.Kind = H.IsExclusive() ? EventKind::Acquire : EventKind::AcquireShared;
    E.Address = H.lock;
    E.Thread = Thread;
    E.Location = H.location;
    push(T, E, UnitItem::Acquire, H.IsExclusive(), LockIds.at(H.lock));
    T.Unit.Items.back().Continues = true;
    T.Unit.Events.back().Number = H.acquisition;
  }
  if (Parts.inRegion(Thread))
    openTransaction(T, true);
}

/// Ends the unit of a thread, if there is one.
void BlockUnits::close(ThreadState &T, uint32_t Thread) {
  Open U = std::move(T.Unit);
  T.Unit = Open();
  T.ReduceAt = FirstReduction;
  if (U.Items.empty())
    return;
  reduce(U, false);
  Open Copy;
  if (Followed)
    Copy = U;
  const uint32_t I = intern(std::move(U), Thread, Count);
  if (Followed)
    OnEnd(Followed->occurrence(std::move(Copy), Thread, I));
  if (KeepsSequence)
    Sequence.append(Thread, I);
}

bool BlockUnits::matters(const UnitItem &I) const {
  if (RangeMatters.empty() && LockMatters.empty())
    return true;
  return I.Kind == UnitItem::Access ? RangeMatters[I.Operand]
                                    : LockMatters[I.Operand];
}

/// Drops the items that change nothing: accesses with a like one before and
/// one after them in their transaction, and a lock that is taken and released
/// with nothing done, right after the same. \p Relaxed, for units that go on
/// and on: also unary accesses with like ones around them under the same
/// locks, and all locks taken with nothing done; that only lets more happen.
void BlockUnits::reduce(Open &U, bool Relaxed) const {
  keepOnly(U, needed(U, Relaxed), Relaxed);
}

/// Says which items to keep, but for locks taken with nothing done, and marks
/// the first and last accesses of each kind to the same bytes.
std::vector<bool> BlockUnits::needed(Open &U, bool Relaxed) const {
  const size_t N = U.Items.size();
  std::vector<bool> Keep(N, true);
  struct Seen {
    size_t First = ~size_t(0), Last = 0;
  };
  // The first and last accesses of each kind to the same bytes, by transaction.
  std::map<std::tuple<uint32_t, uint32_t, bool>, Seen> Ends;
  for (size_t I = 0; I < N; ++I) {
    const UnitItem &Item = U.Items[I];
    Keep[I] = matters(Item);
    if (!Keep[I] || Item.Kind != UnitItem::Access)
      continue;
    Seen &S = Ends[{Item.Transaction, Item.Operand, Item.Strong}];
    S.First = std::min(S.First, I);
    S.Last = I;
  }
  std::map<std::tuple<std::vector<uint32_t>, uint32_t, bool, uint32_t>,
           std::pair<size_t, size_t>>
      UnaryEnds;
  std::vector<uint32_t> Stack;
  for (size_t I = 0; I < N; ++I) {
    UnitItem &Item = U.Items[I];
    if (Item.Kind == UnitItem::Acquire)
      Stack.push_back(Item.Operand);
    else if (Item.Kind == UnitItem::Release)
      Stack.erase(std::remove(Stack.begin(), Stack.end(), Item.Operand),
                  Stack.end());
    if (!Keep[I] || Item.Kind != UnitItem::Access)
      continue;
    const Seen &Own = Ends[{Item.Transaction, Item.Operand, Item.Strong}];
    Item.IsFirst = I == Own.First;
    Item.IsLast = I == Own.Last;
    // A write conflicts with all that a read conflicts with: only a read before
    // the first write, or after the last one, adds something.
    auto Write = Item.Strong
                     ? Ends.end()
                     : Ends.find({Item.Transaction, Item.Operand, true});
    if (Write != Ends.end()) {
      Item.IsFirst &= I < Write->second.First;
      Item.IsLast &= I > Write->second.Last;
    }
    Keep[I] = Item.IsFirst || Item.IsLast;
    if (!Relaxed || U.Transactions[Item.Transaction].IsRegion)
      continue;
    auto [Where, IsNew] = UnaryEnds.emplace(
        std::make_tuple(Stack, Item.Operand, Item.Strong, Item.Location),
        std::make_pair(I, I));
    if (IsNew)
      continue;
    if (Where->second.second != Where->second.first)
      Keep[Where->second.second] = false;
    Where->second.second = I;
  }
  return Keep;
}

/// Drops the other items, and locks that are taken with nothing done.
void BlockUnits::keepOnly(Open &U, const std::vector<bool> &Keep,
                          bool Relaxed) {
  Open Out;
  std::vector<uint32_t> Number(U.Transactions.size(), ~0u);
  for (size_t I = 0; I < U.Items.size(); ++I) {
    if (!Keep[I])
      continue;
    UnitItem Item = U.Items[I];
    if (Item.Kind == UnitItem::Access) {
      uint32_t &New = Number[Item.Transaction];
      if (New == ~0u) {
        New = uint32_t(Out.Transactions.size());
        Out.Transactions.push_back(U.Transactions[Item.Transaction]);
        Out.Begins.push_back(U.Begins[Item.Transaction]);
      }
      Item.Transaction = New;
    }
    size_t Size = Out.Items.size();
    const bool Empties = Item.Kind == UnitItem::Release && Size &&
                         Out.Items[Size - 1].Kind == UnitItem::Acquire &&
                         Out.Items[Size - 1].Operand == Item.Operand;
    if (Empties &&
        (Relaxed ||
         (Size >= 3 && Out.Items[Size - 2].Kind == UnitItem::Release &&
          Out.Items[Size - 3].Kind == UnitItem::Acquire &&
          Out.Items[Size - 2].Operand == Item.Operand &&
          Out.Items[Size - 3].Operand == Item.Operand &&
          Out.Items[Size - 3].Strong == Out.Items[Size - 1].Strong))) {
      Out.Items.pop_back();
      Out.Events.pop_back();
      continue;
    }
    Out.Items.push_back(Item);
    Out.Events.push_back(U.Events[I]);
  }
  // Keep the transaction that goes on, even if it has no items now.
  if (Relaxed && !U.Transactions.empty() && Number.back() == ~0u) {
    Out.Transactions.push_back(U.Transactions.back());
    Out.Begins.push_back(U.Begins.back());
  }
  U.Items = std::move(Out.Items);
  U.Events = std::move(Out.Events);
  U.Transactions = std::move(Out.Transactions);
  U.Begins = std::move(Out.Begins);
}

uint32_t BlockUnits::intern(Open &&U, uint32_t Thread, uint64_t Seen) {
  std::string Key;
  auto Add = [&](uint64_t Value) {
    Key.append(reinterpret_cast<const char *>(&Value), sizeof Value);
  };
  for (const UnitItem &I : U.Items) {
    Add(uint64_t(I.Operand) << 8 | I.Continues << 5 | I.Kind << 3 |
        I.Strong << 2 | I.IsFirst << 1 | I.IsLast);
    Add(uint64_t(I.Transaction) << 32 | I.Location);
  }
  for (const UnitShape::Part &P : U.Transactions) {
    Add(P.IsRegion);
    Add(P.IsRegion ? P.Begin.Address : 0);
    Add(P.IsRegion ? P.Begin.Location : 0);
  }
  const uint32_t Shape =
      ShapeIds.emplace(std::move(Key), uint32_t(Shapes.size())).first->second;
  if (Shape == Shapes.size()) {
    HeldSets::Set Acquired;
    for (const UnitItem &I : U.Items)
      if (I.Kind == UnitItem::Acquire)
        Acquired.push_back({I.Operand, I.Strong});
    Shapes.push_back({std::move(U.Items), std::move(U.Transactions),
                      Sets.of(std::move(Acquired))});
  }
  const uint32_t Id =
      InstanceIds
          .emplace(std::vector<uint32_t>{Shape, Thread, U.First, U.Last,
                                         U.FirstEdge, U.LastEdge},
                   uint32_t(Instances.size()))
          .first->second;
  if (Id == Instances.size())
    Instances.push_back({Shape, Thread, U.First, U.Last, U.FirstEdge,
                         U.LastEdge, std::move(U.Events), std::move(U.Begins),
                         Seen, Seen});
  Instances[Id].LastSeen = std::max(Instances[Id].LastSeen, Seen);
  Instances[Id].FirstSeen = std::min(Instances[Id].FirstSeen, Seen);
  return Id;
}

BlockOrder::List BlockUnits::earlier(uint32_t Later, HeldSets::Id Forbidden) {
  const uint32_t Thread = Instances[Later].Thread;
  if (!coarse())
    return Sequence.earlier(Thread, Later, Forbidden);
  auto All = std::make_shared<std::vector<BlockOrder::Earlier>>();
  for (uint32_t I : OfThread[Thread])
    if (canPrecede(I, Later))
      All->push_back({I, HeldSets::Empty});
  std::sort(All->begin(), All->end());
  return All;
}

void BlockUnits::findShared() {
  constexpr uint32_t None = ~0u, Many = ~0u - 1;
  std::vector<uint32_t> Accessor(ranges().size(), None),
      Taker(Locks.size(), None);
  std::vector<bool> Written(ranges().size()), Strong(Locks.size());
  auto Note = [](uint32_t &Who, uint32_t Thread) {
    Who = Who == None || Who == Thread ? Thread : Many;
  };
  for (const UnitInstance &I : Instances)
    for (const UnitItem &Item : Shapes[I.Shape].Items) {
      if (Item.Kind == UnitItem::Access) {
        Note(Accessor[Item.Operand], I.Thread);
        Written[Item.Operand] = Written[Item.Operand] || Item.Strong;
      } else {
        Note(Taker[Item.Operand], I.Thread);
        Strong[Item.Operand] = Strong[Item.Operand] || Item.Strong;
      }
    }
  RangeMatters.assign(ranges().size(), false);
  for (uint32_t R = 0; R < ranges().size(); ++R) {
    uint32_t Who = Accessor[R];
    bool Writes = Written[R];
    for (uint32_t Other : Bytes.overlapping(R)) {
      if (Accessor[Other] != None)
        Note(Who, Accessor[Other]);
      Writes |= Written[Other];
    }
    RangeMatters[R] = Who == Many && Writes;
  }
  LockMatters.assign(Locks.size(), false);
  for (uint32_t L = 0; L < Locks.size(); ++L)
    LockMatters[L] = Taker[L] == Many && Strong[L];
}

void BlockUnits::end() {
  for (uint32_t T = 0; T < Threads.size(); ++T)
    close(Threads[T], T);
}

void BlockUnits::finish() {
  end();
  Bytes.findOverlaps();
  findShared();

  const std::vector<UnitShape> OldShapes = std::move(Shapes);
  std::vector<UnitInstance> Old = std::move(Instances);
  Shapes.clear();
  Instances.clear();
  ShapeIds.clear();
  InstanceIds.clear();
  constexpr uint32_t None = Occurrence::Dropped;
  std::vector<uint32_t> &New = Renamed;
  New.assign(Old.size(), None);
  for (size_t I = 0; I < Old.size(); ++I) {
    UnitInstance &From = Old[I];
    const UnitShape &Shape = OldShapes[From.Shape];
    Open U;
    U.Items = Shape.Items;
    U.Transactions = Shape.Transactions;
    U.Events = std::move(From.Events);
    U.Begins = std::move(From.Begins);
    U.First = From.First;
    U.Last = From.Last;
    U.FirstEdge = From.FirstEdge;
    U.LastEdge = From.LastEdge;
    reduce(U, false);
    if (U.Transactions.empty())
      continue;
    New[I] = intern(std::move(U), From.Thread, From.FirstSeen);
    Instances[New[I]].LastSeen =
        std::max(Instances[New[I]].LastSeen, From.LastSeen);
  }
  Sequence.rename([&](uint32_t Unit) {
    if (New[Unit] != None)
      return New[Unit];
    HeldSets::Set Kept;
    for (const HeldSets::Member &M : Sets[OldShapes[Old[Unit].Shape].Acquired])
      if (LockMatters[M.Lock])
        Kept.push_back(M);
    return Kept.empty() ? BlockOrder::Dropped
                        : UnitSequence::IsLocks | Sets.of(std::move(Kept));
  });
  std::vector<HeldSets::Id> Acquired;
  Acquired.reserve(Instances.size());
  OfThread.resize(Threads.size());
  for (uint32_t I = 0; I < Instances.size(); ++I) {
    Acquired.push_back(Shapes[Instances[I].Shape].Acquired);
    OfThread[Instances[I].Thread].push_back(I);
  }
  Sequence.finish(std::move(Acquired));
  for (std::vector<uint32_t> &Of : OfThread)
    std::sort(Of.begin(), Of.end(), [&](uint32_t A, uint32_t B) {
      return Instances[A].FirstSeen < Instances[B].FirstSeen;
    });
}

BlockUnits::Occurrence BlockUnits::occurrence(Open U, uint32_t Thread,
                                              uint32_t Instance) const {
  Occurrence Result{Thread, Renamed[Instance], {}, {}, {}};
  reduce(U, false);
  for (const UnitItem &I : U.Items)
    if (I.Kind == UnitItem::Acquire)
      Result.Acquired.push_back({I.Operand, I.Strong});
  Result.Events = std::move(U.Events);
  Result.Begins = std::move(U.Begins);
  return Result;
}

uint64_t BlockUnits::distinctBlocks() const {
  uint64_t Pairs = 0;
  for (const UnitShape &S : Shapes) {
    std::vector<uint64_t> In(S.Transactions.size());
    for (const UnitItem &I : S.Items)
      if (I.Kind == UnitItem::Access)
        ++In[I.Transaction];
    for (uint64_t N : In)
      Pairs += N < 2 ? N : N * (N - 1) / 2;
  }
  return Pairs;
}
