//===- LockStretches.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/LockStretches.h"

using namespace atsan;
using namespace atsan::check;

size_t LockStretches::Hash::operator()(const std::vector<Operation> &Of) const {
  uint64_t Result = Of.size();
  for (const Operation &O : Of) {
    Result = (Result ^ (O.Lock * 4 + O.Acquires * 2 + O.Exclusive)) *
             0x9e3779b97f4a7c15u;
    Result ^= Result >> 32;
  }
  return Result;
}

LockStretches::Id LockStretches::numberOf(const std::vector<Operation> &Of) {
  const auto [It, IsNew] = Ids.emplace(Of, Id(All.size()));
  if (IsNew)
    All.push_back(&It->first);
  return It->second;
}

bool LockStretches::take(const trace::Event &E, uint64_t Number) {
  Effect = Held.take(E, Number);
  if (Effect != HandOvers::Effect::Lock)
    return false;
  const uint32_t Lock =
      Locks.emplace(E.Address, uint32_t(Locks.size())).first->second;
  if (Lock == Addresses.size()) {
    Addresses.push_back(E.Address);
    Owners.push_back(0);
  }
  if (uint32_t &Owner = Owners[Lock]; isAcquire(E.Kind)) {
    if (Owner)
      Loose.insert(Lock);
    if (E.Kind == trace::EventKind::Acquire)
      Owner = E.Thread + 1;
  } else if (Owner == E.Thread + 1) {
    Owner = 0;
  }
  if (E.Thread >= Open.size())
    Open.resize(size_t(E.Thread) + 1);
  Open[E.Thread].push_back({Lock, isAcquire(E.Kind), !isShared(E.Kind)});
  if (!Held.held(E.Thread).empty())
    return false;
  end(E.Thread);
  return true;
}

LockStretches::Id LockStretches::end(uint32_t Thread) {
  Ended = Free;
  if (isIn(Thread)) {
    Ended = numberOf(Open[Thread]);
    Open[Thread].clear();
  }
  return Ended;
}
