//===- RandomTrace.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomTrace.h"
#include "test/unit/Events.h"
#include "test/unit/RandomSchedule.h"
#include <algorithm>
#include <random>

using namespace atsan;
using trace::EventKind;

namespace atsan_test {

namespace {

constexpr uint64_t LockBase = 0x7f0000001000;

class Maker {
public:
  explicit Maker(uint64_t Seed) : Random(Seed * 2654435761u + 17) {}

  RandomTrace make(const Schedule &S, bool IsStd);

private:
  unsigned below(unsigned N) { return Random() % N; }

  void add(EventKind Kind, unsigned Thread, uint64_t Address = 0,
           uint64_t Size = 0);
  void step(const Event &E);
  void divide(unsigned Thread);
  void noise(unsigned Thread);
  unsigned numberOf(unsigned Thread);
  void born(unsigned Thread);
  void startEmpty(unsigned Thread);
  void joinAgain(unsigned Thread);
  void joinStep(unsigned Thread, unsigned Other);
  void lockOrUnlock(unsigned Thread);
  void lockStep(const Event &E);
  void convert(Event E);
  unsigned &depth(unsigned Thread) {
    if (Thread >= Depths.size())
      Depths.resize(Thread + 1);
    return Depths[Thread];
  }

  std::mt19937_64 Random;
  bool IsStd = false;
  RandomTrace R;
  std::vector<unsigned> Depths;
  std::map<unsigned, unsigned> Owners; // Of the locks that we take ourselves.
  bool ReusesNumbers = false;
  unsigned NextThread = 0, NextNumber = 0;
  // Threads of which only joins may follow, and whose numbers are not taken
  // again; is it known that they have ended?
  struct OverThread {
    unsigned Thread;
    bool HasEnded;
  };
  std::vector<OverThread> Over;
};

} // namespace

void Maker::add(EventKind Kind, unsigned Thread, uint64_t Address,
                uint64_t Size) {
  R.Events.push_back(event(numberOf(Thread), Kind, Address, Size));
  R.Events.back().Location = R.Events.size();
}

// A step of the oracle that the last event stands for, with others perhaps.
void Maker::step(const Event &E) {
  R.StepOfEvent[R.Events.size()] = R.Steps.size();
  R.EventOfStep.push_back(R.Events.size());
  R.Steps.push_back(E);
}

// The region of the thread ends, and another one begins.
void Maker::divide(unsigned Thread) {
  for (unsigned I = 0; I < depth(Thread); ++I)
    step(leave(Thread));
  for (unsigned I = 0; I < depth(Thread); ++I)
    step(begin(Thread));
}

constexpr unsigned NoNumber = ~0u;

unsigned Maker::numberOf(unsigned Thread) {
  if (Thread >= R.NumberOf.size())
    R.NumberOf.resize(Thread + 1, NoNumber);
  if (R.NumberOf[Thread] == NoNumber)
    R.NumberOf[Thread] = NextNumber++;
  return R.NumberOf[Thread];
}

// Perhaps with the number of one that is over.
void Maker::born(unsigned Thread) {
  if (!ReusesNumbers || Over.empty() || below(2))
    return;
  const unsigned I = below(Over.size());
  if (!Over[I].HasEnded)
    return;
  const unsigned Number = numberOf(Over[I].Thread);
  Over.erase(Over.begin() + I);
  if (Thread >= R.NumberOf.size())
    R.NumberOf.resize(Thread + 1, NoNumber);
  R.NumberOf[Thread] = Number;
}

void Maker::startEmpty(unsigned Thread) {
  const unsigned Child = NextThread++;
  born(Child);
  add(EventKind::Start, Thread, numberOf(Child));
  step(create(Thread, Child, R.Given.Splits.Start));
  const bool Ends = !IsStd && below(2);
  if (Ends && below(2))
    add(EventKind::Pointer, Child, DataBase, DataBase);
  if (Ends)
    add(EventKind::End, Child);
  Over.push_back({Child, Ends});
}

void Maker::joinAgain(unsigned Thread) {
  if (Over.empty())
    return;
  OverThread &Other = Over[below(Over.size())];
  if (Other.Thread == Thread)
    return;
  Other.HasEnded = true;
  joinStep(Thread, Other.Thread);
}

void Maker::joinStep(unsigned Thread, unsigned Other) {
  add(EventKind::Join, Thread, numberOf(Other));
  step(join(Thread, Other, R.Given.Splits.Join));
}

// Events that divide regions, or mean nothing to the conflict graph.
void Maker::noise(unsigned Thread) {
  switch (below(7)) {
  case 0:
    add(EventKind::Restart, Thread);
    return divide(Thread);
  case 1:
  case 2: {
    const EventKind Kinds[] = {EventKind::Wait, EventKind::BarrierArrive,
                               EventKind::BarrierLeave};
    const EventKind Kind = Kinds[below(3)];
    add(Kind, Thread, LockBase);
    if (R.Given.Splits.isBoundary(Kind))
      divide(Thread);
    return;
  }
  case 3:
    return add(EventKind::Pointer, Thread, DataBase, DataBase);
  case 4:
    if (!depth(Thread)) // A wrong use, which changes nothing.
      add(EventKind::RegionEnd, Thread);
    return;
  case 5:
    return add(EventKind::Read, Thread, DataBase + 8, 0);
  default:
    return;
  }
}

void Maker::lockStep(const Event &E) {
  if (IsStd && E.Shared) // STD text cannot say it.
    return;
  const EventKind Kind =
      E.What == Op::Acquire
          ? E.Shared ? EventKind::AcquireShared : EventKind::Acquire
      : E.Shared ? EventKind::ReleaseShared
                 : EventKind::Release;
  add(Kind, E.Thread, LockBase + 16 * uint64_t(E.Other));
  if (R.Given.LockEdges)
    step(E);
}

// Short schedules have no locks of their own.
void Maker::lockOrUnlock(unsigned Thread) {
  const unsigned Lock = 1000 + below(2);
  auto I = Owners.find(Lock);
  if (I == Owners.end()) {
    Owners[Lock] = Thread;
    lockStep(acquire(Thread, Lock));
  } else if (I->second == Thread) {
    Owners.erase(I);
    lockStep(release(Thread, Lock));
  }
}

void Maker::convert(Event E) {
  if (E.What != Op::Start && !below(8)) {
    if (below(2))
      lockOrUnlock(E.Thread);
    else if (!IsStd)
      noise(E.Thread);
  }
  if (E.What != Op::Start && !below(16))
    startEmpty(E.Thread);
  if (E.What != Op::Start && !below(12))
    joinAgain(E.Thread);
  switch (E.What) {
  case Op::Start:
    // A thread without a begin in the trace.
    born(E.Thread);
    R.EventOfStep.push_back(0);
    R.Steps.push_back(E);
    return;
  case Op::Create:
    born(E.Other);
    add(EventKind::Start, E.Thread, numberOf(E.Other));
    E.Split = R.Given.Splits.Start;
    return step(E);
  case Op::End:
    // STD text has no end of a thread; its region ends all the same.
    if (IsStd && !depth(E.Thread))
      return;
    add(IsStd ? EventKind::RegionEnd : EventKind::End, E.Thread);
    for (; IsStd && depth(E.Thread) > 1; --depth(E.Thread))
      add(EventKind::RegionEnd, E.Thread);
    depth(E.Thread) = 0;
    return step(E);
  case Op::Detach:
    return;
  case Op::Join:
    joinStep(E.Thread, E.Other);
    Over.push_back({E.Other, true});
    return;
  case Op::Begin:
    ++depth(E.Thread);
    add(EventKind::RegionBegin, E.Thread);
    return step(E);
  case Op::Leave:
    --depth(E.Thread);
    add(EventKind::RegionEnd, E.Thread);
    return step(E);
  case Op::Access: {
    if (IsStd) {
      E.Offset = E.Offset / 8 * 8;
      E.Size = 8;
      if (E.Kind != AccessKind::kRead)
        E.Kind = AccessKind::kWrite;
    }
    const bool IsWrite = __atsan::IsWrite(E.Kind);
    add(E.Kind == AccessKind::kAtomicRmw ? EventKind::ReadModifyWrite
        : IsWrite                        ? EventKind::Write
                                         : EventKind::Read,
        E.Thread, DataBase + E.Offset, E.Size);
    return step(E);
  }
  case Op::Forget:
    if (IsStd)
      return;
    add(below(2) ? EventKind::Birth : EventKind::Death, E.Thread,
        DataBase + E.Offset, E.Size);
    return step(E);
  case Op::Acquire:
  case Op::Release:
    return lockStep(E);
  }
}

RandomTrace Maker::make(const Schedule &S, bool Std) {
  IsStd = Std;
  R.Given.LockEdges = Std || below(2);
  if (Std)
    R.Given.Splits.parse("none");
  else if (below(2))
    R.Given.Splits = {!!below(2), !!below(2), !!below(2), !!below(2)};
  ReusesNumbers = !Std && below(2);
  for (const Event &E : S)
    NextThread = std::max<unsigned>({NextThread, E.Thread + 1u, E.Other + 1u});
  for (const Event &E : S)
    convert(E);
  return std::move(R);
}

std::string RandomTrace::text() const {
  static const char *const Names[] = {
      "read",       "write",      "rmw",        "birth",   "death",
      "pointer",    "begin",      "end",        "restart", "acq",
      "rel",        "acq-shared", "rel-shared", "start",   "join",
      "thread end", "arrive",     "leave",      "wait"};
  std::string Text = Given.LockEdges ? "lock edges\n" : "";
  for (size_t I = 0; I < Events.size(); ++I) {
    const trace::Event &E = Events[I];
    Text += std::to_string(I + 1) + ": T" + std::to_string(E.Thread) + " " +
            Names[static_cast<unsigned>(E.Kind)] + " " +
            std::to_string(E.Address < DataBase ? E.Address
                                                : E.Address - DataBase) +
            "+" + std::to_string(E.Size) + "\n";
  }
  return Text;
}

// Short ones by far the most: they are quick, and few events close a cycle in
// as many ways.
static Schedule draw(uint64_t Seed) {
  return Seed % 32 ? tinySchedule(Seed, 30) : randomSchedule(Seed);
}

RandomTrace randomTrace(uint64_t Seed) {
  return Maker(Seed).make(draw(Seed), false);
}

RandomTrace randomStdTrace(uint64_t Seed) {
  return Maker(Seed).make(draw(Seed), true);
}

} // namespace atsan_test
