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

static uint32_t keyOf(const LockStretches::Operation &O) {
  return O.Lock * 4 + O.Acquires * 2 + O.Exclusive;
}

bool LockStretches::Less::operator()(const std::vector<Operation> &A,
                                     const std::vector<Operation> &B) const {
  return std::lexicographical_compare(
      A.begin(), A.end(), B.begin(), B.end(),
      [](const Operation &X, const Operation &Y) {
        return keyOf(X) < keyOf(Y);
      });
}

LockStretches::Id LockStretches::numberOf(const std::vector<Operation> &Of) {
  const auto [It, IsNew] = Ids.emplace(Of, Id(All.size()));
  if (IsNew)
    All.push_back(&It->first);
  return It->second;
}

bool LockStretches::take(const trace::Event &E) {
  const LockStep Effect = Held.take(E);
  if (!isOfLock(E.Kind) || Effect != LockStep::kOuter)
    return false;
  const uint32_t Lock =
      Locks.emplace(E.Address, uint32_t(Locks.size())).first->second;
  if (Lock == Addresses.size())
    Addresses.push_back(E.Address);
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
