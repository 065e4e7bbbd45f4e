//===- Commuting.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Commuting.h"
#include "lib/base/NameList.h"
#include "lib/trace/EventText.h"

using namespace atsan::check;
using namespace __atsan;
using atsan::trace::Event;

bool Improvements::parse(const std::string &Text) {
  return parseNames(Text, {{"escape", &Escape},
                           {"happens-before", &HappensBefore},
                           {"multilocksets", &MultiLockSets},
                           {"acq-a-rel", &AcqARel}});
}

CommutativityOptions atsan::check::commutativityOptions(const Options &O) {
  CommutativityOptions C;
  C.escape = O.Improved.Escape;
  C.happens_before = O.Improved.HappensBefore;
  C.multi_lock_sets = O.Improved.MultiLockSets;
  return C;
}

uint32_t atsan::check::locationOf(void *, uint32_t, uintptr_t Where) {
  return Where;
}

std::string atsan::check::tooManyBytes(uint64_t Number, const Event &E) {
  return "event " + std::to_string(Number) + " accesses " +
         std::to_string(E.Size) + " bytes at once; at most " +
         std::to_string(MaxAccessBytes) +
         " are analysed, use --algorithm=scg or filter the event out";
}

LockId atsan::check::feedLock(Commutativity &To, const Event &E,
                              uint64_t Number, LockStep *Effect) {
  const EventPoint At = {Number, E.Location};
  return isAcquire(E.Kind)
             ? To.Acquire(E.Thread, E.Address, isShared(E.Kind), At, Effect)
             : To.Release(E.Thread, E.Address, isShared(E.Kind), At, Effect);
}

bool atsan::check::feedEscapes(EscapeMap &To, const Event &E) {
  feedMemory(To, E);
  return isAccess(E.Kind) && !To.HasEscaped(E.Thread, E.Address, E.Size);
}

std::string FactWords::lock(LockId Lock) const {
  const uptr Address = Facts.FactsOf(Lock).addr;
  return Names ? Names->lock(Address) : trace::hexText(Address);
}

std::string FactWords::thread(uint32_t Thread) const {
  return Names ? Names->thread(Thread) : "T" + std::to_string(Thread);
}

std::string FactWords::held(LockSetId Set) const {
  const size_t Size = Facts.Sets().SizeOf(Set);
  std::string Text;
  for (size_t I = 0; I != Size; ++I) {
    if (I)
      Text += I + 1 == Size ? " and " : ", ";
    Text += lock(Facts.Sets().At(Set, I));
  }
  return Size ? "holds " + Text : "holds no lock";
}

Relation FactWords::race(const RaceEvidence &Race) const {
  const auto Part = [&](const Sample &S) {
    // Locks held in shared mode do not keep a write apart from reads.
    return thread(S.thread) + " " + held(S.locks) +
           (S.write && S.locks != kNoLocks ? " exclusively" : "");
  };
  return {{Race.first.event, {}},
          {Race.later.event, {}},
          "accesses that may overlap: " + Part(Race.first) + ", " +
              Part(Race.later)};
}

std::string FactWords::raceNote(const RaceEvidence &Race) const {
  if (Race.disjoint)
    return std::string();
  return "These two have a lock in common, but no lock is held at all accesses "
         "of the variable: this may be a false alarm (the multilocksets are "
         "conservative; --algorithm=blocks is exact here)";
}

Relation FactWords::sharing(LockId Lock) const {
  const LockFacts &F = Facts.FactsOf(Lock);
  std::string Why = "lock " + this->lock(Lock) +
                    " is used by threads that may run at the same time";
  if (F.unprotected.event)
    Why += ", and no other lock is held at all of its uses";
  return {{F.shared_first.event, {}}, {F.shared_later.event, {}}, Why};
}
