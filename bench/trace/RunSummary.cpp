//===-- RunSummary.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plays a recorded run to the runtime's checker, as one thread in all roles,
// and as the runtime does: accesses are left out while no region is open.
//
//===----------------------------------------------------------------------===//

#include "RunSummary.h"

#include "atsan_checker.h"
#include "sanitizer_common/sanitizer_stacktrace.h"

#include <algorithm>

using namespace __atsan;

static bool FoundViolation;

namespace __atsan {
LocId InternLocation(CheckerThread *, const AccessPoint &, AccessKind, uptr) {
  return 1;
}
void OnViolation(CheckerThread *, const Cycle &) { FoundViolation = true; }
} // namespace __atsan

// What sanitizer_common wants from every tool.
void __sanitizer::BufferedStackTrace::UnwindImpl(uptr, uptr, void *, bool,
                                                 u32) {}

namespace trace {

namespace {
class Player {
public:
  explicit Player(const SharedRun &Run) : Threads(Run.NumThreads) {
    static bool IsInitialized;
    if (!IsInitialized)
      CheckerInit();
    IsInitialized = true;
    CheckerReset();
    FoundViolation = false;
    CheckerThreadCreate(nullptr, {1, 0}, &Threads[0].State, 1);
  }

  void play(const Record &R);

private:
  struct Thread {
    CheckerThread State = {};
    EndedThread Ended = {};
    bool HasEnded = false;
  };

  std::vector<Thread> Threads; // Never grows: addresses are given away.
};

void Player::play(const Record &R) {
  static const AccessKind Kinds[] = {
      AccessKind::kRead, AccessKind::kWrite, AccessKind::kAtomicRead,
      AccessKind::kAtomicWrite, AccessKind::kAtomicRmw};
  CheckerThread *Thr = &Threads[R.Thread].State;
  AccessPoint At = {1, 0};
  bool GateIsOpen = __atsan_gate != 0;
  switch (R.Kind) {
  case What::Begin:
    CheckerRegionBegin(Thr);
    break;
  case What::End:
    CheckerRegionEnd(Thr);
    break;
  case What::Create:
    // A thread of which nothing is left to check.
    if (R.Address < Threads.size())
      CheckerThreadCreate(Thr, At, &Threads[R.Address].State, R.Address + 1);
    break;
  case What::Exit:
    Threads[R.Thread].Ended = CheckerThreadEnd(Thr, true);
    Threads[R.Thread].HasEnded = true;
    break;
  case What::Join:
    if (R.Address < Threads.size() && Threads[R.Address].HasEnded)
      CheckerThreadJoin(Thr, At, Threads[R.Address].Ended);
    break;
  case What::Forget:
    if (GateIsOpen)
      CheckerForget(R.Address, R.Size);
    break;
  default:
    if (GateIsOpen)
      CheckerAccess(Thr, R.Address, R.Size, Kinds[static_cast<int>(R.Kind)],
                    At);
  }
}
} // namespace

SummaryResult checkBySummary(const SharedRun &Run) {
  Player P(Run);
  for (size_t I = 0; I < Run.Records.size(); ++I) {
    P.play(Run.Records[I]);
    if (FoundViolation)
      return {I + 1, I + 1};
  }
  return {Run.Records.size(), 0};
}

SummarySize measureSummary(const SharedRun &Run, const SummaryResult &Result) {
  constexpr size_t kLooks = 10000;
  size_t Step = std::max<size_t>(1, Result.NumRecords / kLooks);
  SummarySize Largest;
  Player P(Run);
  for (size_t I = 0; I < Result.NumRecords; ++I) {
    P.play(Run.Records[I]);
    if (I % Step)
      continue;
    CheckerStats Stats = CheckerGetStats();
    Largest.Nodes =
        std::max<uint64_t>(Largest.Nodes, Stats.active_transactions);
    Largest.Edges = std::max<uint64_t>(Largest.Edges, Stats.active_edges);
  }
  return Largest;
}

} // namespace trace
