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
#include "lib/checker/atsan_range.h"
#include <algorithm>
#include <cstdlib>

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
      bool Begins = Options.Runs == EvenRuns::kApart || Current >= RunEnd;
      if (Begins) {
        Place = Options.OnePlace ? 1 : Current + 1;
        RunEnd = Current + static_cast<int>(evenRun(Events, Current));
      }
      if (Options.SweepsInVain && Begins)
        takeSweepCredit();
      if (Begins && RunEnd - Current > 1 && isOneCall(Options.Runs, Current))
        applyStrided(RunEnd - Current);
      else
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
    bool Detached = false, HasBegun = false, HasEnded = false;
    EndedThread Ended = {};
  };

  void violation(CheckerThread *, const Cycle &C) override {
    Finding F = {Current, {C.edges, C.edges + C.size}, C.summarized};
    if (Options.Runs != EvenRuns::kApart && !Options.OnePlace)
      for (Edge &E : F.Edges)
        nameEvents(E);
    for (int I = Current; I < RunEnd; I++)
      if (F.Edges.back().dst_addr == Options.Base + Events[I].Offset)
        F.Event = I;
    Result.Findings.push_back(F);
  }
  // A location stands for a whole run of accesses: which were they?
  void nameEvents(Edge &E) const;

  void takeSweepCredit() const;

  bool isSkipped() const { return Options.Gated && !gateIsOpen(); }

  void apply(const Event &E);
  void applyStrided(size_t Count);

  const Schedule &Events;
  RunOptions Options;
  std::vector<SimulatedThread>
      Threads; // Never grows: addresses are given away.
  int Current = 0;
  int RunEnd = 0; // Of the even run that Current is in.
  uptr Place = 0; // Location of what is going on: one for an even run.
  RunResult Result;
};
} // namespace

void Run::apply(const Event &E) {
  SimulatedThread &T = Threads[E.Thread];
  SimulatedThread &Other = Threads[E.Other];
  CheckerThread *Thr = &T.Checker;
  AccessPoint At = {Place, 0};
  bool Split = E.Split && T.Depth;
  if (Split)
    CheckerRegionEnd(Thr);

  switch (E.What) {
  case Op::Start:
    CheckerThreadCreate(nullptr, At, Thr, tidOf(E.Thread));
    T.HasBegun = true;
    break;
  case Op::Create:
    CheckerThreadCreate(Thr, At, &Other.Checker, tidOf(E.Other));
    Other.HasBegun = true;
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
    // Some accesses go the way of ranges, since both ways must give one
    // verdict.
    if (isSkipped())
      ;
    else if (Thr->active && Current % 3 == 0)
      CheckerRangeInRegion(Thr, Options.Base + E.Offset, E.Size, E.Kind, At,
                           InternLocation(Thr, At, E.Kind, E.Size));
    else
      CheckerAccess(Thr, Options.Base + E.Offset, E.Size, E.Kind, At);
    break;
  case Op::Forget:
    // By a thread that the checker knows, or by nobody.
    if (!isSkipped())
      (E.Size % 2 ? CheckerUnmap
                  : static_cast<decltype(&CheckerUnmap)>(CheckerForget))(
          T.HasBegun && !T.HasEnded && E.Offset / 8 % 4 ? Thr : nullptr,
          Options.Base + E.Offset, E.Size);
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

// Takes it from the pages of the run of accesses that begins now.
void Run::takeSweepCredit() const {
  for (int I = Current; I < RunEnd && Events[I].What == Op::Access; I++)
    for (uptr Byte = 0; Byte < Events[I].Size; Byte++)
      if (const uptr Addr = Options.Base + Events[I].Offset + Byte;
          ShadowFind(Addr))
        ShadowGet(Addr).page->sweep_credit = -32000;
}

// All of the run's accesses in one call.
void Run::applyStrided(size_t Count) {
  const Event &E = Events[Current];
  AccessPoint At = {Place, 0};
  CheckerThread *Thr = &Threads[E.Thread].Checker;
  uptr First = Options.Base + E.Offset;
  sptr Stride = static_cast<sptr>(Events[Current + 1].Offset) -
                static_cast<sptr>(E.Offset);
  bool IsRun = E.Size == 8 && Stride == 8 && First % 8 == 0;
  bool IsRows = Stride == static_cast<sptr>(E.Size) && Count % 2 == 0;
  // The hook for neighbours, and those for loops, can all be asked.
  if (isSkipped())
    ;
  else if (Thr->active && IsRows && Current % 3 == 0)
    CheckerAccessRows(Thr, First, E.Size, 2, 2 * Stride, Count / 2, E.Kind, At);
  else if (Thr->active && IsRun && Current % 4)
    CheckerAccessStrided(Thr, First, E.Size, Stride, Count, E.Kind, At,
                         InternLocation(Thr, At, E.Kind, E.Size));
  else
    CheckerAccessStrided(Thr, First, E.Size, Stride, Count, E.Kind, At);
  Current += Count - 1;
}

void Run::nameEvents(Edge &E) const {
  auto Name = [&](LocId &Loc, auto IsIt) {
    if (!Loc || Events[Loc - 1].What != Op::Access)
      return;
    size_t First = Loc - 1, Count = evenRun(Events, First);
    for (size_t I = First; I < First + Count; I++)
      if (IsIt(Events[I])) {
        Loc = I + 1;
        return;
      }
  };
  Name(E.src_loc, [&](const Event &A) {
    uptr Begin = Options.Base + A.Offset;
    return E.addr >= Begin && E.addr < Begin + A.Size;
  });
  Name(E.dst_loc,
       [&](const Event &A) { return E.dst_addr == Options.Base + A.Offset; });
}

size_t evenRun(const Schedule &S, size_t I) {
  const Event &A = S[I];
  auto Fits = [&](size_t J) {
    return J < S.size() && S[J].What == Op::Access && S[J].Thread == A.Thread &&
           S[J].Kind == A.Kind && S[J].Size == A.Size;
  };
  auto Distance = [&](size_t J) {
    return static_cast<int64_t>(S[J].Offset) - S[J - 1].Offset;
  };
  if (A.What != Op::Access || A.Size > 16 ||
      (A.Kind != AccessKind::kRead && A.Kind != AccessKind::kWrite) ||
      !Fits(I + 1))
    return 1;
  // Overlapping accesses outside regions could not be told apart.
  if (std::abs(Distance(I + 1)) < A.Size)
    return 1;
  size_t End = I + 2;
  while (Fits(End) && Distance(End) == Distance(I + 1))
    End++;
  return End - I;
}

bool isOneCall(EvenRuns Runs, size_t First) {
  return Runs == EvenRuns::kOneCall || (Runs == EvenRuns::kMixed && First % 3);
}

RunResult runChecker(const Schedule &S, const RunOptions &Options) {
  return Run(S, Options).run();
}

} // namespace atsan_test
