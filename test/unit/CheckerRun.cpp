//===-- CheckerRun.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Drives the checker with a schedule.
//
//===----------------------------------------------------------------------===//

#include "CheckerRun.h"
#include "UnitSupport.h"
#include <algorithm>

using namespace __atsan;

namespace atsan_test {

namespace {
class Run : SeamListener {
public:
  Run(const Schedule &S, const RunOptions &O) : Events(S), Options(O) {
    unsigned NumThreads = 0;
    for (const Event &E : S)
      NumThreads = std::max({NumThreads, E.Thread + 1u, E.Other + 1u});
    Threads.resize(NumThreads);
  }

  RunResult run() {
    ListenHere Here(*this);
    for (Current = 0; Current < static_cast<int>(Events.size()); Current++) {
      apply(Events[Current]);
      if (Options.StopAtViolation && !Result.Findings.empty())
        break;
    }
    return Result;
  }

private:
  struct SimulatedThread {
    CheckerThread Checker = {};
    unsigned Depth = 0;
    bool Detached = false, HasEnded = false;
    EndedThread Ended = {};
  };

  void violation(CheckerThread *, const Cycle &C) override {
    Result.Findings.push_back(
        {Current, {C.edges, C.edges + C.size}, C.summarized});
  }

  bool isSkipped() const { return Options.Gated && !gateIsOpen(); }

  void apply(const Event &E);

  const Schedule &Events;
  RunOptions Options;
  std::vector<SimulatedThread>
      Threads; // Never grows: addresses are given away.
  int Current = 0;
  RunResult Result;
};
} // namespace

void Run::apply(const Event &E) {
  SimulatedThread &T = Threads[E.Thread];
  SimulatedThread &Other = Threads[E.Other];
  CheckerThread *Thr = &T.Checker;
  AccessPoint At = {static_cast<uptr>(Current + 1), 0};
  bool Split = E.Split && T.Depth;
  if (Split)
    CheckerRegionEnd(Thr);

  switch (E.What) {
  case Op::Start:
    CheckerThreadCreate(nullptr, At, Thr, tidOf(E.Thread));
    break;
  case Op::Create:
    CheckerThreadCreate(Thr, At, &Other.Checker, tidOf(E.Other));
    break;
  case Op::End:
    T.Ended = CheckerThreadEnd(Thr, !T.Detached);
    T.HasEnded = true;
    T.Depth = 0;
    break;
  case Op::Detach:
    Other.Detached = true;
    if (Other.HasEnded)
      CheckerThreadDetach(Other.Ended);
    break;
  case Op::Join:
    CheckerThreadJoin(Thr, At, Other.Ended);
    break;
  case Op::Begin:
    if (T.Depth++ == 0)
      CheckerRegionBegin(Thr);
    break;
  case Op::Leave:
    if (--T.Depth == 0)
      CheckerRegionEnd(Thr);
    break;
  case Op::Access:
    if (!isSkipped())
      CheckerAccess(Thr, Options.Base + E.Offset, E.Size, E.Kind, At);
    break;
  case Op::Forget:
    if (!isSkipped())
      CheckerForget(Options.Base + E.Offset, E.Size);
    break;
  case Op::Acquire:
  case Op::Release: {
    if (isSkipped())
      break;
    auto Function = E.What == Op::Acquire ? CheckerAcquire : CheckerRelease;
    Function(Thr, kLockBase + 4 * E.Other,
             E.Shared ? LockMode::kShared : LockMode::kExclusive, At);
    break;
  }
  }

  if (Split)
    CheckerRegionBegin(Thr);
}

RunResult runChecker(const Schedule &S, const RunOptions &Options) {
  return Run(S, Options).run();
}

} // namespace atsan_test
