//===-- Schedule.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Building, checking and printing of schedules.
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"

#include <algorithm>

namespace atsan_test {

static Event make(Op What, unsigned T, unsigned Other = 0, bool Split = false) {
  Event E{What};
  E.Thread = T;
  E.Other = Other;
  E.Split = Split;
  return E;
}

static Event access(unsigned T, unsigned Offset, unsigned Size,
                    AccessKind Kind) {
  Event E = make(Op::Access, T);
  E.Offset = Offset;
  E.Size = Size;
  E.Kind = Kind;
  return E;
}

Event start(unsigned T) { return make(Op::Start, T); }
Event create(unsigned T, unsigned Child, bool Split) {
  return make(Op::Create, T, Child, Split);
}
Event end(unsigned T) { return make(Op::End, T); }
Event detach(unsigned T, unsigned Other) { return make(Op::Detach, T, Other); }
Event join(unsigned T, unsigned Other, bool Split) {
  return make(Op::Join, T, Other, Split);
}
Event begin(unsigned T) { return make(Op::Begin, T); }
Event leave(unsigned T) { return make(Op::Leave, T); }
Event rd(unsigned T, unsigned Offset, unsigned Size) {
  return access(T, Offset, Size, AccessKind::kRead);
}
Event wr(unsigned T, unsigned Offset, unsigned Size) {
  return access(T, Offset, Size, AccessKind::kWrite);
}
Event rmw(unsigned T, unsigned Offset, unsigned Size) {
  return access(T, Offset, Size, AccessKind::kAtomicRmw);
}
Event freeBlock(unsigned T, unsigned Offset, unsigned Size) {
  return access(T, Offset, Size, AccessKind::kFree);
}
Event acquire(unsigned T, unsigned Lock) { return make(Op::Acquire, T, Lock); }
Event acquireShared(unsigned T, unsigned Lock) {
  Event E = make(Op::Acquire, T, Lock);
  E.Shared = true;
  return E;
}
Event release(unsigned T, unsigned Lock) { return make(Op::Release, T, Lock); }
Event forget(unsigned Offset, unsigned Size) {
  Event E = make(Op::Forget, 0);
  E.Offset = Offset;
  E.Size = Size;
  return E;
}

Validity::ThreadState Validity::thread(unsigned T) const {
  return T < Threads.size() ? Threads[T] : ThreadState();
}

Validity::ThreadState &Validity::at(unsigned T) {
  if (T >= Threads.size())
    Threads.resize(T + 1);
  return Threads[T];
}

bool Validity::isAlive(unsigned T) const {
  ThreadState S = thread(T);
  return S.Started && !S.Ended;
}

bool Validity::isJoinable(unsigned T) const {
  ThreadState S = thread(T);
  return S.Ended && !S.Joined && !S.Detached;
}

unsigned Validity::unfinished() const {
  unsigned N = 0;
  for (unsigned T = 0; T < Threads.size(); T++)
    N += isAlive(T) || isJoinable(T);
  return N;
}

bool Validity::take(Event &E) {
  switch (E.What) {
  case Op::Start:
    if (wasStarted(E.Thread))
      return false;
    at(E.Thread).Started = true;
    Live++;
    return true;
  case Op::Create:
    if (!isAlive(E.Thread) || wasStarted(E.Other))
      return false;
    at(E.Other).Started = true;
    Live++;
    return true;
  case Op::End:
    // A thread that ends with a lock would leave it locked for ever.
    if (!isAlive(E.Thread) || thread(E.Thread).LocksHeld)
      return false;
    at(E.Thread).Ended = true;
    at(E.Thread).Depth = 0;
    Live--;
    return true;
  case Op::Detach: {
    ThreadState &S = at(E.Other);
    if (!S.Started || S.Joined || S.Detached)
      return false;
    S.Detached = true;
    return true;
  }
  case Op::Join:
    if (!isAlive(E.Thread) || !isJoinable(E.Other))
      return false;
    at(E.Other).Joined = true;
    return true;
  case Op::Begin:
    if (!isAlive(E.Thread))
      return false;
    at(E.Thread).Depth++;
    return true;
  case Op::Leave:
    if (!isAlive(E.Thread) || !thread(E.Thread).Depth)
      return false;
    at(E.Thread).Depth--;
    return true;
  case Op::Access:
    return isAlive(E.Thread) && E.Size;
  case Op::Forget:
    return E.Size;
  case Op::Acquire: {
    if (!isAlive(E.Thread))
      return false;
    if (E.Other >= Locks.size())
      Locks.resize(E.Other + 1);
    LockState &L = Locks[E.Other];
    bool Owns = std::count(L.Owners.begin(), L.Owners.end(), E.Thread);
    if (Owns || (!L.Owners.empty() && (L.Exclusive || !E.Shared)))
      return false;
    L.Exclusive = !E.Shared;
    L.Owners.push_back(E.Thread);
    at(E.Thread).LocksHeld++;
    return true;
  }
  case Op::Release: {
    if (!isAlive(E.Thread) || E.Other >= Locks.size())
      return false;
    LockState &L = Locks[E.Other];
    auto It = std::find(L.Owners.begin(), L.Owners.end(), E.Thread);
    if (It == L.Owners.end())
      return false;
    E.Shared = !L.Exclusive;
    L.Owners.erase(It);
    at(E.Thread).LocksHeld--;
    return true;
  }
  }
  return false;
}

Schedule dropInvalid(const Schedule &S) {
  Validity V;
  Schedule Kept;
  for (Event E : S)
    if (V.take(E))
      Kept.push_back(E);
  return Kept;
}

unsigned mostUnfinished(const Schedule &S) {
  Validity V;
  unsigned Most = 0;
  for (Event E : S)
    if (V.take(E))
      Most = std::max(Most, V.unfinished());
  return Most;
}

static const char *name(AccessKind Kind) {
  switch (Kind) {
  case AccessKind::kRead:
    return "rd";
  case AccessKind::kWrite:
    return "wr";
  case AccessKind::kAtomicRead:
    return "atomic-rd";
  case AccessKind::kAtomicWrite:
    return "atomic-wr";
  case AccessKind::kAtomicRmw:
    return "rmw";
  case AccessKind::kFree:
    return "freeBlock";
  default:
    return "?";
  }
}

// Printed such that hand-written schedules can be made from it.
std::string describe(const Event &E) {
  std::string T = std::to_string(E.Thread), O = std::to_string(E.Other);
  std::string Bytes = std::to_string(E.Offset) + ", " + std::to_string(E.Size);
  std::string Split = E.Split ? ", true" : "";
  switch (E.What) {
  case Op::Start:
    return "start(" + T + ")";
  case Op::Create:
    return "create(" + T + ", " + O + Split + ")";
  case Op::End:
    return "end(" + T + ")";
  case Op::Detach:
    return "detach(" + T + ", " + O + ")";
  case Op::Join:
    return "join(" + T + ", " + O + Split + ")";
  case Op::Begin:
    return "begin(" + T + ")";
  case Op::Leave:
    return "leave(" + T + ")";
  case Op::Access:
    return std::string(name(E.Kind)) + "(" + T + ", " + Bytes + ")";
  case Op::Forget:
    return "forget(" + Bytes + ")";
  case Op::Acquire:
    return (E.Shared ? "acquireShared(" : "acquire(") + T + ", " + O + ")";
  case Op::Release:
    return "release(" + T + ", " + O + ")";
  }
  return "?";
}

std::string describe(const Schedule &S, int Mark) {
  std::string Text;
  for (size_t I = 0; I < S.size(); I++) {
    std::string Number = std::to_string(I + 1);
    Text += std::string(Number.size() < 4 ? 4 - Number.size() : 0, ' ');
    Text += Number + "  " + describe(S[I]);
    Text += static_cast<int>(I) == Mark ? ",  <== here\n" : ",\n";
  }
  return Text;
}

} // namespace atsan_test
