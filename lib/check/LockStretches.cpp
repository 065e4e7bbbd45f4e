//===- LockStretches.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/LockStretches.h"
#include <algorithm>

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
  // Most take one lock and give it back.
  const bool IsShort = Of.size() == 2 && Of[0].Lock == Of[1].Lock &&
                       Of[0].Acquires && !Of[1].Acquires &&
                       Of[0].Exclusive == Of[1].Exclusive;
  const size_t Place = IsShort ? 2 * size_t(Of[0].Lock) + Of[0].Exclusive : 0;
  if (IsShort && Place < Short.size() && Short[Place])
    return Short[Place];
  const auto [It, IsNew] = Ids.emplace(Of, Id(All.size()));
  if (IsNew)
    All.push_back(&It->first);
  if (IsShort) {
    Short.resize(std::max(Short.size(), 2 * Addresses.size()));
    Short[Place] = It->second;
  }
  return It->second;
}

uint32_t LockStretches::lockOf(const trace::Event &E) {
  // Mostly the one that the thread has taken last.
  if (isIn(E.Thread))
    if (const uint32_t Last = Open[E.Thread].back().Lock;
        Addresses[Last] == E.Address)
      return Last;
  uint32_t &Place =
      Numbers.place(NumberTable::mix(0, E.Address), [&](uint32_t Lock) {
        return Addresses[Lock] == E.Address;
      });
  if (Place)
    return Place - 1;
  Addresses.push_back(E.Address);
  Owners.push_back(0);
  Place = uint32_t(Addresses.size());
  Numbers.grow(Addresses.size(), [this](uint32_t Lock) {
    return NumberTable::mix(0, Addresses[Lock]);
  });
  return uint32_t(Addresses.size() - 1);
}

bool LockStretches::take(const trace::Event &E, uint64_t Number) {
  Effect = Held.take(E, Number);
  if (Effect != HandOvers::Effect::Lock)
    return false;
  const uint32_t Lock = lockOf(E);
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
