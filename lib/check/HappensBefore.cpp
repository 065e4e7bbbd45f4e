//===- HappensBefore.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/HappensBefore.h"
#include "lib/check/Commuting.h"

using namespace atsan::check;
using atsan::trace::Event;

HappensBefore::HappensBefore() : Now(std::make_unique<__atsan::Periods>()) {}
HappensBefore::~HappensBefore() = default;

void HappensBefore::take(const Event &E) { feedOrder(*Now, E); }

void HappensBefore::take(const Event &E, uint64_t Number,
                         HandOvers::Effect Does, const HandOvers &Given) {
  take(E);
  if (Does == HandOvers::Effect::Tells) {
    Now->Current(E.Thread);
    if (E.Kind != trace::EventKind::Wait) { // Whom it tells is not known yet.
      auto &Clock = Told[Number];
      Clock = std::make_unique<__atsan::PeriodClock>();
      Now->ClockOf(E.Thread).CopyTo(Clock.get());
    }
    Now->Boundary(E.Thread);
  } else if (Does == HandOvers::Effect::Hears) {
    for (const HandOvers::Place &P : Given.needs())
      if (const auto It = Told.find(P.Number); It != Told.end())
        Now->After(E.Thread, *It->second);
  }
  for (uint64_t Each : Given.gone())
    Told.erase(Each);
}

PeriodId HappensBefore::period(uint32_t Thread) {
  if (Thread >= Last.size())
    Last.resize(size_t(Thread) + 1);
  const uint32_t Number = Now->Current(Thread).number;
  PeriodId &Of = Last[Thread];
  if (Of && Kept[Of - 1].Number == Number)
    return Of - 1;
  const __atsan::PeriodClock &Clock = Now->ClockOf(Thread);
  KeptPeriod P{Thread, Number, {}};
  for (size_t I = 0; I != Clock.Size(); ++I)
    P.Clock.push_back(Clock.At(I));
  Kept.push_back(std::move(P));
  Of = Kept.size();
  return Of - 1;
}

bool HappensBefore::before(PeriodId A, PeriodId B) const {
  const KeptPeriod &First = Kept[A], &Later = Kept[B];
  if (First.Thread == Later.Thread)
    return First.Number < Later.Number;
  return First.Thread < Later.Clock.size() &&
         Later.Clock[First.Thread] >= First.Number;
}
