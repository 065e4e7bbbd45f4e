//===-- RandomSchedule.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random schedules.
//
//===----------------------------------------------------------------------===//

#include "RandomSchedule.h"

#include <algorithm>

namespace atsan_test {

namespace {

// Chances are in percent.
struct Shape {
  unsigned Events, MaxThreads, MaxUnfinished, Roots;
  unsigned Granules;
  unsigned MaxLocks; // 0: no lock events.
  // How often another thread takes its turn after an event.
  unsigned SwitchOutside, SwitchInside;
  unsigned Write, Atomic;
  unsigned OwnGranule; // Accesses to the thread's own granule.
  unsigned BigRange, Unaligned, SameSize;
  unsigned Loop;  // Accesses at even distances, one after the other.
  unsigned Sweep; // Granules, or a half of each, one after the other.
  unsigned Same;  // Sweeps over the same four granules.
  // Weights of what a thread does next.
  unsigned Access, Begin, Leave, Thread, Forget, Lock;
  unsigned Nested;
  unsigned Split, Detach, Join, EndInside;
  unsigned Lazy; // Threads that rarely get their turn.
};

class Generator {
public:
  explicit Generator(uint64_t Seed) : Random(Seed) {}
  Shape drawShape(const RandomLimits &Limits);
  Schedule generate(const Shape &Chosen);
  Schedule generateWaves(const Shape &Chosen);
  Schedule generateRereads(const Shape &Chosen);

  uint64_t below(uint64_t N) { return Random() % N; }
  bool chance(unsigned Percent) { return below(100) < Percent; }
  template <typename T> T oneOf(std::initializer_list<T> Choices) {
    return Choices.begin()[below(Choices.size())];
  }
  uint64_t between(uint64_t Low, uint64_t High) {
    return Low + below(High - Low + 1);
  }

private:
  void add(Event E) {
    if (State.take(E))
      Result.push_back(E);
  }
  void pickThread();
  void step();
  void access();
  void threadEvent();
  void lockEvent();
  void range(Event &E);

  std::mt19937_64 Random;
  Shape S;
  Validity State;
  Schedule Result;
  unsigned NextThread = 0;
  unsigned Turn = 0;
};

Shape Generator::drawShape(const RandomLimits &Limits) {
  Shape D;
  switch (below(5)) {
  case 0: // Short and dense.
    D.Events = between(6, 40);
    D.MaxThreads = between(2, 4);
    D.Granules = between(1, 2);
    break;
  case 1:
  case 2:
    D.Events = between(30, 150);
    D.MaxThreads = between(2, 8);
    D.Granules = between(1, 4);
    break;
  case 3: // Long.
    D.Events = between(150, 700);
    D.MaxThreads = between(2, 10);
    D.Granules = between(2, 12);
    break;
  default: // Waves of threads that live for short.
    D.Events = between(60, 400);
    D.MaxThreads = between(10, 40);
    D.Granules = between(1, 8);
    break;
  }
  D.MaxUnfinished = std::min<unsigned>(
      Limits.MaxUnfinished, D.MaxThreads > 10 ? between(3, 40) : D.MaxThreads);
  D.Roots = chance(70) ? 1 : between(1, 3);
  D.MaxLocks = chance(25) ? between(1, 3) : 0;
  D.SwitchOutside = oneOf({5u, 20u, 50u, 100u});
  D.SwitchInside = oneOf({1u, 3u, 10u, 30u, 100u});
  D.Write = oneOf({3u, 10u, 30u, 50u, 80u});
  D.Atomic = oneOf({0u, 10u, 50u});
  D.OwnGranule = oneOf({0u, 0u, 50u, 90u});
  D.BigRange = oneOf({0u, 0u, 3u, 20u});
  D.Unaligned = oneOf({0u, 20u, 100u});
  D.SameSize = oneOf({0u, 60u, 100u});
  D.Loop = oneOf({0u, 10u, 40u});
  D.Sweep = oneOf({0u, 0u, 15u, 60u});
  D.Same = 0;
  D.Access = 20;
  D.Begin = oneOf({1u, 4u, 10u});
  D.Leave = oneOf({1u, 4u, 10u});
  D.Thread = D.MaxThreads > 10 ? oneOf({4u, 10u}) : oneOf({1u, 3u});
  D.Forget = oneOf({0u, 0u, 1u, 4u});
  D.Lock = D.MaxLocks ? oneOf({3u, 10u}) : 0;
  D.Nested = oneOf({0u, 30u});
  D.Split = oneOf({0u, 50u, 100u});
  D.Detach = oneOf({0u, 20u, 60u});
  D.Join = oneOf({10u, 50u, 90u});
  D.EndInside = oneOf({0u, 10u, 50u});
  D.Lazy = oneOf({0u, 0u, 30u});
  if (Limits.Waves) {
    D.Events = between(100, 700);
    D.MaxThreads = 100;
    D.Granules = between(3, 12);
    D.Write = oneOf({3u, 10u, 30u});
    D.OwnGranule = 0;
    D.MaxUnfinished = Limits.MaxUnfinished;
  }
  if (Limits.Rereads) {
    D.Events = oneOf({40u, 200u, 600u});
    D.MaxUnfinished = Limits.MaxUnfinished;
    D.Lazy = 0;
  }
  if (Limits.Sweeps) {
    D.Events = between(30, 150);
    D.MaxThreads = D.MaxUnfinished = between(2, 4);
    D.Granules = between(4, 8);
    D.Write = oneOf({10u, 30u, 50u});
    D.Sweep = 95;
    D.Begin = D.Leave = 10;
    if (chance(50)) {
      D.Same = 60;
      D.Write = 5;
      D.Leave = 2;
      D.SwitchInside = 30;
    }
    D.Forget = 0;
  }
  return D;
}

void Generator::pickThread() {
  std::vector<unsigned> Candidates;
  for (unsigned T = 0; T < NextThread; T++)
    if (State.isAlive(T) && (T % 3 || !chance(S.Lazy * 3)))
      Candidates.push_back(T);
  for (unsigned T = 0; Candidates.empty() && T < NextThread; T++)
    if (State.isAlive(T))
      Candidates.push_back(T);
  if (!Candidates.empty())
    Turn = Candidates[below(Candidates.size())];
}

void Generator::range(Event &E) {
  if (chance(S.BigRange))
    E.Size = between(17, 64);
  else if (chance(S.SameSize))
    E.Size = 4;
  else if (chance(S.Unaligned))
    E.Size = between(1, 16);
  else
    E.Size = oneOf({1u, 2u, 4u, 8u, 16u});
  unsigned Granule =
      chance(S.OwnGranule) ? E.Thread % S.Granules : below(S.Granules);
  E.Offset = Granule * 8 + below(8);
  if (!chance(S.Unaligned))
    E.Offset -= E.Offset % std::min(E.Size, 8u);
}

void Generator::access() {
  Event E{Op::Access};
  E.Thread = Turn;
  range(E);
  bool Write = chance(S.Write);
  if (chance(S.Sweep)) {
    E.Kind = Write ? AccessKind::kWrite : AccessKind::kRead;
    E.Size = oneOf({8u, 8u, 4u});
    E.Offset -= E.Offset % E.Size;
    unsigned Count = oneOf({1u, 1u, 2u, 4u, 9u});
    if (chance(S.Same)) {
      Count = 4;
      E.Offset %= 8;
    }
    for (; Count; Count--, E.Offset += 8)
      add(E);
    return;
  }
  if (chance(S.Atomic))
    E.Kind = chance(40) ? AccessKind::kAtomicRmw
             : Write    ? AccessKind::kAtomicWrite
                        : AccessKind::kAtomicRead;
  else
    E.Kind = Write ? AccessKind::kWrite : AccessKind::kRead;
  unsigned Count = E.Size <= 16 && chance(S.Loop) ? between(2, 9) : 1;
  unsigned Stride = E.Size + oneOf({0u, 0u, 0u, 4u, 9u});
  bool Down = chance(20) && E.Offset >= Count * Stride;
  for (; Count; Count--) {
    add(E);
    E.Offset += Down ? -Stride : Stride;
  }
}

void Generator::threadEvent() {
  if (!chance(S.Join) && NextThread < S.MaxThreads &&
      State.unfinished() < S.MaxUnfinished) {
    add(create(Turn, NextThread++, chance(S.Split)));
    if (chance(S.Detach))
      add(detach(Turn, NextThread - 1));
    return;
  }
  std::vector<unsigned> Joinable;
  for (unsigned T = 0; T < NextThread; T++)
    if (State.isJoinable(T))
      Joinable.push_back(T);
  if (!Joinable.empty() && chance(70)) {
    unsigned Other = Joinable[below(Joinable.size())];
    if (chance(S.Detach / 4))
      add(detach(Turn, Other));
    else
      add(join(Turn, Other, chance(S.Split)));
    return;
  }
  // Not the last one, and rather the young.
  if (State.live() > 1 && (Turn != 0 || chance(10)) &&
      (!State.depth(Turn) || chance(S.EndInside)))
    add(end(Turn));
}

void Generator::lockEvent() {
  unsigned Lock = below(S.MaxLocks);
  size_t Before = Result.size();
  add(release(Turn, Lock));
  if (Result.size() == Before)
    add(chance(30) ? acquireShared(Turn, Lock) : acquire(Turn, Lock));
}

void Generator::step() {
  unsigned Total = S.Access + S.Begin + S.Leave + S.Thread + S.Forget + S.Lock;
  unsigned Draw = below(Total);
  auto Is = [&](unsigned Weight) {
    bool Hit = Draw < Weight;
    Draw -= Weight; // Wraps around after the hit, when nobody looks any more.
    return Hit;
  };
  if (Is(S.Access))
    access();
  else if (Is(S.Begin)) {
    if (!State.depth(Turn) || chance(S.Nested))
      add(begin(Turn));
  } else if (Is(S.Leave))
    add(leave(Turn));
  else if (Is(S.Thread))
    threadEvent();
  else if (Is(S.Forget)) {
    Event E{Op::Forget};
    E.Thread = Turn;
    range(E);
    if (chance(50))
      add(freeBlock(Turn, E.Offset, E.Size));
    add(E);
  } else
    lockEvent();
}

Schedule Generator::generate(const Shape &Chosen) {
  S = Chosen;
  for (unsigned I = 0; I < S.Roots; I++)
    add(start(NextThread++));
  // Most schedules have their threads soon.
  if (chance(80))
    while (NextThread < S.MaxThreads && State.unfinished() < S.MaxUnfinished)
      add(create(below(S.Roots), NextThread++));
  while (Result.size() < S.Events) {
    if (!State.isAlive(Turn) ||
        chance(State.depth(Turn) ? S.SwitchInside : S.SwitchOutside))
      pickThread();
    // Events that make no sense are dropped, so this may take several turns.
    step();
  }
  return std::move(Result);
}

// Thread 0 starts short threads one after the other, while 1, 2 and 3 have
// regions open and do little.
Schedule Generator::generateWaves(const Shape &Chosen) {
  S = Chosen;
  add(start(0));
  add(create(0, 1));
  add(create(0, 2));
  add(create(0, 3));
  NextThread = 4;
  unsigned Lazy = oneOf({1u, 3u, 10u});
  while (Result.size() < S.Events && NextThread < S.MaxThreads) {
    if (Result.size() < 10 || chance(Lazy)) {
      Turn = between(1, 3);
      if (State.depth(Turn) && chance(50))
        add(leave(Turn));
      else if (!State.depth(Turn))
        add(begin(Turn));
      access();
      continue;
    }
    if (State.unfinished() >= S.MaxUnfinished) {
      for (unsigned T = 4; T < NextThread; T++) {
        add(end(T));
        add(chance(50) ? detach(0, T) : join(0, T));
      }
    }
    Turn = NextThread++;
    add(create(0, Turn));
    for (unsigned I = between(0, 8); I; I--) {
      if (chance(30))
        add(State.depth(Turn) ? leave(Turn) : begin(Turn));
      access();
    }
    if (!chance(S.EndInside))
      add(leave(Turn));
    if (chance(80))
      add(end(Turn));
  }
  return std::move(Result);
}

// Some threads, of which each is in a region most of the time and reads. Now
// and then one writes, frees, or ends and is followed by another one.
Schedule Generator::generateRereads(const Shape &Chosen) {
  S = Chosen;
  add(start(0));
  NextThread = 1;
  // Sometimes more threads than a list has places in its first block.
  unsigned Threads = chance(30) ? between(6, 12) : between(2, 4);
  unsigned Words = between(1, 5);
  unsigned Rare = oneOf({1u, 2u, 5u}), Leave = oneOf({10u, 30u, 60u});
  auto Word = [&](Op What, AccessKind Kind) {
    Event E{What};
    E.Thread = Turn;
    E.Kind = Kind;
    E.Size = oneOf({8u, 8u, 8u, 4u, 2u});
    E.Offset = 8 * below(Words) + (E.Size < 8 ? below(8 / E.Size) * E.Size : 0);
    add(E);
  };
  while (Result.size() < S.Events) {
    while (State.live() < Threads && State.unfinished() < S.MaxUnfinished) {
      add(create(0, NextThread));
      if (chance(50))
        add(detach(0, NextThread));
      NextThread++;
    }
    pickThread();
    if (!State.depth(Turn) && !chance(Rare))
      add(begin(Turn));
    if (chance(Rare)) {
      Word(Op::Access, AccessKind::kWrite);
    } else if (chance(Rare)) {
      Word(Op::Forget, AccessKind::kRead);
    } else if (Turn && chance(Rare)) {
      add(end(Turn));
      add(join(0, Turn));
    } else {
      for (unsigned Reads = between(1, 3); Reads; Reads--)
        Word(Op::Access, AccessKind::kRead);
      if (chance(Leave))
        add(leave(Turn));
    }
  }
  return std::move(Result);
}

} // namespace

Schedule randomSchedule(uint64_t Seed, const RandomLimits &Limits) {
  Generator G(Seed);
  Shape S = G.drawShape(Limits);
  S.Roots = std::min(S.Roots, S.MaxUnfinished);
  if (Limits.Rereads)
    return G.generateRereads(S);
  return Limits.Waves ? G.generateWaves(S) : G.generate(S);
}

Schedule tinySchedule(uint64_t Seed, unsigned MaxEvents) {
  Generator G(Seed);
  Shape S = G.drawShape({});
  S.Events = MaxEvents;
  S.MaxThreads = G.between(2, 3);
  S.MaxUnfinished = S.MaxThreads;
  S.Roots = G.between(1, S.MaxThreads);
  S.Granules = 1;
  S.MaxLocks = 0;
  S.Lock = 0;
  S.Access = 12;
  S.Begin = 6;
  S.Leave = 2;
  S.Thread = G.oneOf({0u, 1u, 3u});
  S.Write = G.oneOf({30u, 60u});
  S.OwnGranule = 0;
  S.BigRange = 0;
  S.Loop = 0;
  S.Sweep = 0;
  S.SameSize = G.oneOf({50u, 100u});
  S.SwitchOutside = 50;
  S.SwitchInside = G.oneOf({20u, 50u});
  return G.generate(S);
}

} // namespace atsan_test
