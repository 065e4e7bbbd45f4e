//===-- RandomMachine.cpp
//---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs for Machine.h: at most 12 steps in at most 4 threads.
//
//===----------------------------------------------------------------------===//
#include "Machine.h"

#include <random>

namespace atsan_test {

namespace {

class Generator {
public:
  explicit Generator(uint64_t Seed) : Random(Seed * 2 + 1) {}

  MachineProgram make();

private:
  unsigned below(unsigned N) { return Random() % N; }
  bool percent(unsigned N) { return below(100) < N; }
  // Returns whether there was something that fits into Budget.
  bool block(unsigned Budget);
  void access();
  void add(OpKind Kind, unsigned Object = 0, unsigned Arg = 0) {
    Ops->push_back({Kind, uint8_t(Object), uint8_t(Arg), -1});
    Used++;
  }

  std::mt19937_64 Random;
  std::vector<Op> *Ops = nullptr;
  unsigned Used = 0;      // Steps of the thread.
  unsigned Variables = 2; // So many are in use.
  bool MayLock = true;
};

void Generator::access() {
  const OpKind Kinds[] = {OpKind::Read, OpKind::Write, OpKind::Update};
  static const uint8_t Often[] = {0, 2, 1, 3, 4};
  add(Kinds[below(3)], Often[below(Variables)]);
  if (percent(15))
    Ops->back().OnlyIf = below(2);
}

bool Generator::block(unsigned Budget) {
  switch (below(14)) {
  case 0:
  case 1:
  case 2:
    if (Budget < 3 || !MayLock)
      break;
    {
      const unsigned Lock = below(kNumLocks);
      const bool Shared = percent(20), Try = !Shared && percent(15);
      add(Shared ? OpKind::LockShared
          : Try  ? OpKind::TryLock
                 : OpKind::Lock,
          Lock);
      const size_t At = Ops->size() - 1;
      MayLock = percent(20);
      if (Budget >= 5 && percent(40)) {
        block(Budget - 3);
      } else if (percent(85)) {
        access();
      }
      MayLock = true;
      add(Shared ? OpKind::UnlockShared : OpKind::Unlock, Lock);
      (*Ops)[At].Arg = Ops->size() - 1;
    }
    return true;
  case 3:
    if (Budget < 4 || !MayLock)
      break;
    {
      const unsigned Lock = below(kNumLocks);
      add(OpKind::Lock, Lock);
      add(OpKind::Wait, below(kNumConditions), Lock);
      Used++;
      add(OpKind::Unlock, Lock);
    }
    return true;
  case 4:
    add(percent(60) ? OpKind::Signal : OpKind::Broadcast,
        below(kNumConditions));
    return true;
  case 5:
    add(percent(50) ? OpKind::SemaphoreWait : OpKind::SemaphorePost,
        below(kNumSemaphores));
    return true;
  case 6:
    if (Budget < 2 || percent(60))
      break;
    add(OpKind::Barrier);
    Used++;
    return true;
  case 7:
    if (Budget < 3 || percent(50))
      break;
    add(OpKind::Await, below(Variables), below(2));
    Used += 2;
    return true;
  case 8:
  case 9:
    if (Budget < 4)
      break;
    add(OpKind::RegionBegin);
    access();
    access();
    add(OpKind::RegionEnd);
    return true;
  default:
    access();
    return true;
  }
  return false;
}

MachineProgram Generator::make() {
  MachineProgram P;
  const unsigned Threads = percent(45) ? 2 : percent(70) ? 3 : 4;
  unsigned Budget = 5 + below(8);
  Variables = 1 + below(kNumVariables);
  P.NamedEnds = percent(50);
  P.BarrierParties = percent(80) ? 2 : 1 + below(3);
  for (uint8_t &S : P.Semaphores)
    S = below(3);
  const bool Forks = percent(40), EndsShown = percent(60);
  P.Threads.resize(Threads);
  P.Parents.assign(Threads, -1);
  for (unsigned I = 1; I < Threads; I++)
    if (Forks && percent(80))
      P.Parents[I] = below(I);
  // Each child is created and perhaps joined somewhere in its parent.
  for (unsigned I = 0; I < Threads; I++) {
    Ops = &P.Threads[I];
    Used = 0;
    std::vector<unsigned> ToJoin;
    for (unsigned J = I + 1; J < Threads; J++) {
      if (P.Parents[J] != int(I))
        continue;
      if (percent(30) && Budget > 3)
        access();
      add(OpKind::Create, J);
      if (percent(60))
        ToJoin.push_back(J);
    }
    const unsigned Share = Budget / (Threads - I);
    for (unsigned Tries = 0; Used < Share && Tries < 8; Tries++)
      block(Share - Used);
    for (unsigned J : ToJoin)
      if (Used < Budget)
        add(OpKind::Join, J);
    if (Used < Budget && percent(40))
      access();
    if (EndsShown && P.Parents[I] >= 0 && Used < Budget)
      add(OpKind::End);
    if (Ops->empty())
      access();
    // The first one is executed whatever was read before.
    Ops->front().OnlyIf = -1;
    Budget -= std::min(Budget, Used);
  }
  return P;
}

} // namespace

MachineProgram randomMachineProgram(uint64_t Seed) {
  return Generator(Seed).make();
}

} // namespace atsan_test
