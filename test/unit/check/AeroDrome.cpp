//===- AeroDrome.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AeroDrome.h"
#include <algorithm>

using atsan::trace::Event;
using atsan::trace::EventKind;

namespace atsan_test {

bool AeroDrome::isBefore(const Clock &A, const Clock &B) {
  for (size_t I = 0; I < A.size(); ++I)
    if (A[I] > (I < B.size() ? B[I] : 0))
      return false;
  return true;
}

void AeroDrome::join(Clock &Into, const Clock &From) {
  Into.resize(std::max(Into.size(), From.size()));
  for (size_t I = 0; I < From.size(); ++I)
    Into[I] = std::max(Into[I], From[I]);
}

AeroDrome::Thread &AeroDrome::thread(Id T) {
  Thread &Me = Threads[T];
  if (!Me.HasBegun) {
    Me.HasBegun = true;
    Me.Now.resize(std::max<size_t>(Me.Now.size(), T + 1));
    Me.Now[T] = 1;
  }
  return Me;
}

bool AeroDrome::checkAndGet(const Clock &C, Id T) {
  Thread &Me = thread(T);
  const bool IsCycle = Me.Depth && isBefore(Me.Begin, C);
  join(Me.Now, C);
  return IsCycle;
}

void AeroDrome::begin(Id T) {
  Thread &Me = thread(T);
  if (Me.Depth++)
    return;
  Me.HasTransaction = true;
  ++Me.Now[T];
  Me.Begin = Me.Now;
}

// Whoever knows of this transaction's begin comes after all of it.
bool AeroDrome::end(Id T) {
  Thread &Me = thread(T);
  if (--Me.Depth)
    return false;
  bool IsCycle = false;
  for (auto &Other : Threads)
    if (Other.first != T && isBefore(Me.Begin, Other.second.Now))
      IsCycle |= checkAndGet(Me.Now, Other.first);
  auto Update = [&](Clock &C) {
    if (isBefore(Me.Begin, C))
      join(C, Me.Now);
  };
  for (auto &L : Locks)
    Update(L.second.At);
  for (auto &W : Writes)
    Update(W.second.At);
  for (auto &Variable : Reads)
    for (auto &R : Variable.second)
      Update(R.second);
  return IsCycle;
}

bool AeroDrome::write(Id T, uint64_t Variable) {
  bool IsCycle = false;
  Written &W = Writes[Variable];
  if (W.Exists && W.By != T)
    IsCycle |= checkAndGet(W.At, T);
  for (auto &R : Reads[Variable])
    if (R.first != T)
      IsCycle |= checkAndGet(R.second, T);
  W = {thread(T).Now, true, T};
  return IsCycle;
}

bool AeroDrome::perform(const Event &E) {
  const Id T = E.Thread;
  switch (E.Kind) {
  case EventKind::Read: {
    const Written &W = Writes[E.Address];
    const bool IsCycle = W.Exists && W.By != T && checkAndGet(W.At, T);
    Reads[E.Address][T] = thread(T).Now;
    return IsCycle;
  }
  case EventKind::Write:
    return write(T, E.Address);
  case EventKind::Acquire: {
    const Written &L = Locks[E.Address];
    return L.Exists && L.By != T && checkAndGet(L.At, T);
  }
  case EventKind::Release:
    Locks[E.Address] = {thread(T).Now, true, T};
    return false;
  case EventKind::Start:
    join(Threads[E.Address].Now, thread(T).Now);
    return false;
  case EventKind::Join:
    return thread(E.Address).HasTransaction &&
           checkAndGet(thread(E.Address).Now, T);
  default:
    return false;
  }
}

bool AeroDrome::take(const Event &E) {
  const Id T = E.Thread;
  if (E.Kind == EventKind::RegionBegin) {
    begin(T);
    return false;
  }
  if (E.Kind == EventKind::RegionEnd)
    return end(T);
  if (thread(T).Depth)
    return perform(E);
  begin(T);
  bool IsCycle = perform(E);
  IsCycle |= end(T);
  return IsCycle;
}

bool AeroDrome::finish() {
  bool IsCycle = false;
  for (auto &Other : Threads)
    if (Other.second.Depth) {
      Other.second.Depth = 1;
      IsCycle |= end(Other.first);
    }
  return IsCycle;
}

} // namespace atsan_test
