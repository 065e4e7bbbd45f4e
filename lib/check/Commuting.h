//===- Commuting.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The events of a trace, fed to the runtime's code that knows which events
// commute (lib/reduction/atsan_commutativity.h); and its facts in words.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_COMMUTING_H
#define ATSAN_CHECK_COMMUTING_H

#include "lib/check/Analysis.h"
#include "lib/reduction/atsan_commutativity.h"

namespace atsan::check {

/// The options of the runtime's code, by \p O and the algorithm.
__atsan::CommutativityOptions commutativityOptions(const Options &O);

/// The location of an event is its Location.
uint32_t locationOf(void *, uint32_t Thread, uintptr_t Where);

/// Accesses of more bytes than this are nobody's variables; analyses that keep
/// something for each byte give up.
constexpr uint64_t MaxAccessBytes = uint64_t(1) << 28;
std::string tooManyBytes(uint64_t Number, const trace::Event &E);

// The functions below feed events of certain kinds to a part of the runtime's
// code that has functions of these names, and leave others alone.

template <typename Part> void feedMemory(Part &To, const trace::Event &E) {
  if (E.Kind == trace::EventKind::Birth)
    To.Born(E.Thread, E.Address, E.Size, E.IsStack);
  else if (E.Kind == trace::EventKind::Death)
    To.Died(E.Address, E.Size);
  else if (E.Kind == trace::EventKind::Pointer)
    To.PointerStored(E.Address, E.Size);
}
template <typename Part> void feedOrder(Part &To, const trace::Event &E) {
  if (E.Kind == trace::EventKind::Start)
    To.Start(E.Thread, E.Address);
  else if (E.Kind == trace::EventKind::Join)
    To.Join(E.Thread, E.Address);
  else if (E.Kind == trace::EventKind::BarrierArrive)
    To.Arrive(E.Thread, E.Address, E.Size);
  else if (E.Kind == trace::EventKind::BarrierLeave)
    To.Leave(E.Thread, E.Address);
}

/// Feeds an acquire or a release. Returns the lock; *Effect is what the event
/// did.
__atsan::LockId feedLock(__atsan::Commutativity &To, const trace::Event &E,
                         uint64_t Number, __atsan::LockStep *Effect);

/// Feeds an event, and tells whether it is an access to memory that has not
/// escaped: that no other thread can reach yet (TSE'06 section 3). Such an
/// access commutes with everything, so every checker may drop it. A trace
/// without births, such as STD text, has no such memory.
bool feedEscapes(__atsan::EscapeMap &To, const trace::Event &E);

/// Puts facts into words for people.
class FactWords {
public:
  FactWords(const Options &O, __atsan::Commutativity &Facts)
      : Names(O.Names), Facts(Facts) {}

  /// The name of a lock: "l", or "0x7f..".
  std::string lock(__atsan::LockId Lock) const;
  /// The locks of a set: "holds l and m", "holds no lock".
  std::string held(__atsan::LockSetId Set) const;
  /// The two accesses of a race, and the locks held at each.
  Relation race(const __atsan::RaceEvidence &Race) const;
  std::string raceNote(const __atsan::RaceEvidence &Race) const;
  /// The uses of a lock by two threads: why its operations are no both-movers.
  Relation sharing(__atsan::LockId Lock) const;

private:
  std::string thread(uint32_t Thread) const;

  const trace::Names *Names;
  __atsan::Commutativity &Facts;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_COMMUTING_H
