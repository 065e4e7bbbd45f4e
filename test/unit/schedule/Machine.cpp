//===-- Machine.cpp
//---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of Machine.h.
//
//===----------------------------------------------------------------------===//
#include "Machine.h"

#include <algorithm>
#include <cassert>

namespace atsan_test {

// Some have bytes in common.
static const uint8_t kBegin[kNumVariables] = {0, 4, 2, 8, 12};
static const uint8_t kEnd[kNumVariables] = {4, 8, 6, 16, 13};

static const char *const kNames[] = {
    "r",       "w",       "u",    "await",  "+",         "-",  "try",
    "+shared", "-shared", "wait", "signal", "broadcast", "P",  "V",
    "barrier", "[",       "]",    "create", "join",      "end"};

std::string describe(const MachineProgram &P) {
  std::string Text;
  for (size_t I = 0; I < P.Threads.size(); I++) {
    Text += std::to_string(I) + " (of " + std::to_string(P.Parents[I]) + "):";
    for (const Op &O : P.Threads[I]) {
      Text += " " + std::string(kNames[unsigned(O.Kind)]) +
              std::to_string(O.Object) + "," + std::to_string(O.Arg);
      if (O.OnlyIf >= 0)
        Text += "?" + std::to_string(O.OnlyIf);
    }
    Text += "\n";
  }
  Text += "semaphores " + std::to_string(P.Semaphores[0]) + " " +
          std::to_string(P.Semaphores[1]) + ", parties " +
          std::to_string(P.BarrierParties) + ", named ends " +
          std::to_string(P.NamedEnds) + ", waking touches condition " +
          std::to_string(P.WakingTouchesCondition) + "\n";
  return Text;
}

bool conflict(const MachineStep &A, const MachineStep &B) {
  for (unsigned I = 0; I < A.NumTouches; I++)
    for (unsigned J = 0; J < B.NumTouches; J++) {
      const Touch &X = A.Touches[I], &Y = B.Touches[J];
      if (X.Space == Y.Space && (X.Changes || Y.Changes) && X.Begin < Y.End &&
          Y.Begin < X.End)
        return true;
    }
  return false;
}

Machine::Machine(const MachineProgram &P) : P(&P), Semaphores(P.Semaphores) {
  Owner.fill(-1);
  for (auto &W : Waiting)
    W.fill(-1);
  for (unsigned I = 0; I < numThreads(); I++)
    T[I].Begun = P.Parents[I] < 0;
}

bool Machine::lives(unsigned Thread) const {
  return T[Thread].Begun && T[Thread].Pc < P->Threads[Thread].size();
}

bool Machine::spins(unsigned Thread) const {
  return op(Thread).Kind == OpKind::Await && T[Thread].Phase;
}

bool Machine::ready(unsigned Thread) const {
  const Op &O = op(Thread);
  const ThreadState &S = T[Thread];
  switch (O.Kind) {
  case OpKind::Lock:
    return lockIsFree(O.Object);
  case OpKind::LockShared:
    return Owner[O.Object] < 0;
  case OpKind::Wait:
    return !S.Phase || (S.Signalled && lockIsFree(O.Arg));
  case OpKind::SemaphoreWait:
    return Semaphores[O.Object];
  case OpKind::Barrier:
    return !S.Phase || S.Round != Round;
  case OpKind::Join:
    return T[O.Object].Begun && !lives(O.Object);
  default:
    return true;
  }
}

// The numbers of what is no memory.
static unsigned lockSpace(unsigned I) { return 1 + I; }
static unsigned conditionSpace(unsigned I) { return 3 + I; }
static unsigned semaphoreSpace(unsigned I) { return 5 + I; }
static unsigned threadSpace(unsigned I) { return 8 + I; }
static const unsigned kBarrierSpace = 7;

MachineStep Machine::next(unsigned Thread) const {
  const Op &O = op(Thread);
  MachineStep S;
  S.Kind = O.Kind;
  S.InRegion = T[Thread].Regions;
  const auto Memory = [&](bool Changes) {
    S.Touches[S.NumTouches++] = {0, kBegin[O.Object], kEnd[O.Object], Changes};
  };
  const auto Other = [&](unsigned Space, bool Changes = true) {
    S.Touches[S.NumTouches++] = {Space, 0, 1, Changes};
  };
  switch (O.Kind) {
  case OpKind::Read:
  case OpKind::Await:
    Memory(false);
    break;
  case OpKind::Write:
  case OpKind::Update:
    Memory(true);
    break;
  case OpKind::Lock:
  case OpKind::Unlock:
  case OpKind::TryLock:
    Other(lockSpace(O.Object));
    break;
  case OpKind::LockShared:
  case OpKind::UnlockShared:
    Other(lockSpace(O.Object), false);
    break;
  case OpKind::Wait:
    if (!T[Thread].Phase || P->WakingTouchesCondition)
      Other(conditionSpace(O.Object));
    Other(lockSpace(O.Arg));
    break;
  case OpKind::Signal:
  case OpKind::Broadcast:
    Other(conditionSpace(O.Object));
    break;
  case OpKind::SemaphoreWait:
  case OpKind::SemaphorePost:
    Other(semaphoreSpace(O.Object));
    break;
  case OpKind::Barrier:
    Other(kBarrierSpace, !T[Thread].Phase);
    break;
  case OpKind::Join:
    Other(threadSpace(O.Object));
    break;
  case OpKind::End:
    if (P->NamedEnds)
      Other(threadSpace(Thread));
    break;
  case OpKind::RegionBegin:
  case OpKind::RegionEnd:
  case OpKind::Create:
    break;
  }
  return S;
}

uint8_t Machine::read(unsigned Variable) const {
  // Each byte has a say in the parity.
  unsigned Sum = 0;
  for (unsigned I = kBegin[Variable]; I < kEnd[Variable]; I++) {
    Sum = Sum * 5 + Memory[I];
    Sum ^= Sum >> 2;
  }
  return Sum;
}

void Machine::write(unsigned Variable, uint8_t Value) {
  for (unsigned I = kBegin[Variable]; I < kEnd[Variable]; I++)
    Memory[I] = Value + I * I;
}

// To the next operation that is executed at all.
void Machine::advance(unsigned Thread) {
  ThreadState &S = T[Thread];
  S.Phase = 0;
  S.Pc++;
  const auto &Ops = P->Threads[Thread];
  while (S.Pc < Ops.size() && Ops[S.Pc].OnlyIf >= 0 &&
         Ops[S.Pc].OnlyIf != S.Parity)
    S.Pc++;
}

void Machine::wake(unsigned Thread, unsigned Condition) {
  T[Thread].Signalled = true;
  auto &W = Waiting[Condition];
  std::remove(W.begin(), W.end(), int8_t(Thread));
  W.back() = -1;
}

void Machine::execute(unsigned Thread) {
  assert(lives(Thread) && ready(Thread));
  const Op O = op(Thread);
  ThreadState &S = T[Thread];
  switch (O.Kind) {
  case OpKind::Read:
    S.Parity = read(O.Object) & 1;
    break;
  case OpKind::Write:
    write(O.Object, Thread * 16 + S.Pc + S.Parity * 5 + 1);
    break;
  case OpKind::Update: {
    const uint8_t Old = read(O.Object);
    S.Parity = Old & 1;
    write(O.Object, Old * 3 + Thread + 1);
    break;
  }
  case OpKind::Await:
    S.Parity = read(O.Object) & 1;
    if (S.Parity != O.Arg && ++S.Phase < 3)
      return;
    break;
  case OpKind::Lock:
    Owner[O.Object] = Thread;
    break;
  case OpKind::Unlock:
    Owner[O.Object] = -1;
    break;
  case OpKind::TryLock:
    if (lockIsFree(O.Object))
      Owner[O.Object] = Thread;
    else
      S.Pc = O.Arg;
    break;
  case OpKind::LockShared:
    Readers[O.Object]++;
    break;
  case OpKind::UnlockShared:
    Readers[O.Object]--;
    break;
  case OpKind::Wait:
    if (!S.Phase) {
      S.Phase = 1;
      S.Signalled = false;
      Owner[O.Arg] = -1;
      *std::find(Waiting[O.Object].begin(), Waiting[O.Object].end(), -1) =
          Thread;
      return;
    }
    Owner[O.Arg] = Thread;
    break;
  case OpKind::Signal:
    if (Waiting[O.Object][0] >= 0)
      wake(Waiting[O.Object][0], O.Object);
    break;
  case OpKind::Broadcast:
    while (Waiting[O.Object][0] >= 0)
      wake(Waiting[O.Object][0], O.Object);
    break;
  case OpKind::SemaphoreWait:
    Semaphores[O.Object]--;
    break;
  case OpKind::SemaphorePost:
    Semaphores[O.Object]++;
    break;
  case OpKind::Barrier:
    if (!S.Phase) {
      S.Phase = 1;
      S.Round = Round;
      if (++Arrived == P->BarrierParties) {
        Arrived = 0;
        Round++;
      }
      return;
    }
    break;
  case OpKind::RegionBegin:
    S.Regions++;
    break;
  case OpKind::RegionEnd:
    S.Regions--;
    break;
  case OpKind::Create:
    T[O.Object].Begun = true;
    break;
  case OpKind::Join:
  case OpKind::End:
    break;
  }
  advance(Thread);
}

std::string Machine::verdict() const {
  std::string V(Memory.begin(), Memory.end());
  for (unsigned I = 0; I < numThreads(); I++) {
    V += char(T[I].Pc);
    V += char(T[I].Parity);
    V += char(T[I].Begun);
  }
  return V;
}

} // namespace atsan_test
