//===-- Drive.cpp
//-----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The calls that a runtime would make.
//
//===----------------------------------------------------------------------===//
#include "Drive.h"

#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_stacktrace.h"
#include <gtest/gtest.h>
#include <tuple>

using namespace __atsan;

namespace atsan_test {

// A CHECK that fails ends the process with the flags' exit code, which is that
// of success as long as they are not set.
[[maybe_unused]] static const bool FlagsAreSet =
    (__sanitizer::SetCommonFlagsDefaults(), true);

Step asStep(const MachineStep &S, uint64_t Base) {
  Step To;
  // What touches memory or a lock.
  To.interesting =
      S.InRegion && S.NumTouches && S.Touches[0].Space <= kNumLocks;
  if (!S.NumTouches)
    return To;
  const Touch &T = S.Touches[0];
  if (!T.Space) {
    To.kind = T.Changes ? StepKind::kWrite : StepKind::kRead;
    To.object = Base + T.Begin;
    To.size = T.End - T.Begin;
    return To;
  }
  // Names are no addresses: they are above, and in another order than memory.
  const auto Name = [&](const Touch &T) { return ~Base - 64 * T.Space; };
  To.kind = T.Changes ? StepKind::kSync : StepKind::kSyncShared;
  To.object = Name(T);
  if (S.NumTouches == 2)
    To.second = Name(S.Touches[1]);
  return To;
}

Strategy &freshStrategy(const char *Name, const StrategyOptions &O) {
  using Key = std::tuple<std::string, u64, u32, u32>;
  static std::map<Key, Strategy *> All;
  Strategy *&S = All[{Name, O.seed, O.depth, O.preemptions}];
  if (!S)
    S = NewStrategy(Name, O);
  EXPECT_FALSE(S->Load("", 0));
  S->Seed(O.seed);
  return *S;
}

std::string text(const Interleaving &I) {
  std::string Text;
  for (unsigned Thread : I)
    Text += char('0' + Thread);
  return Text;
}

static std::vector<Candidate> candidates(const Machine &M, uint64_t Base,
                                         bool &AnyReady) {
  std::vector<Candidate> All;
  AnyReady = false;
  for (unsigned I = 0; I < M.numThreads(); I++) {
    if (!M.lives(I))
      continue;
    Candidate C;
    C.thread = I;
    C.parent = M.parent(I) < 0 ? kNoThread : M.parent(I);
    C.ready = M.ready(I);
    C.spins = M.spins(I);
    C.next = asStep(M.next(I), Base);
    AnyReady |= C.ready;
    All.push_back(C);
  }
  return All;
}

DrivenRun drive(Strategy &S, const MachineProgram &P,
                const DriveOptions &Options) {
  static ScheduleClass Class;
  DrivenRun Run;
  Machine M(P);
  u32 Current = kNoThread;
  S.BeginRun();
  if (Options.Classes)
    Class.Begin();
  for (;;) {
    bool AnyReady;
    const std::vector<Candidate> All = candidates(M, Options.Base, AnyReady);
    if (All.empty())
      break;
    const Decision D = {All.data(), u32(All.size()), Current};
    if (!AnyReady) {
      S.Blocked(D);
      Run.Deadlock = true;
      break;
    }
    if (Run.Log.size() == Options.MaxSteps) {
      Run.Complete = false;
      break;
    }
    Current = S.Choose(D);
    Run.Diverged |= S.Diverged();
    Run.Redundant |= S.Redundant();
    if (Run.Redundant && Options.StopIfRedundant) {
      Run.Complete = false;
      break;
    }
    if (Current >= M.numThreads() || !mayGoOn(M, Current)) {
      ADD_FAILURE() << "thread " << Current << " cannot go on\n" << describe(P);
      Run.Complete = false;
      break;
    }
    if (Options.Classes)
      for (const Candidate &C : All)
        if (C.thread == Current)
          Class.Execute(Current, C.next);
    Run.Log.add(Current, M.next(Current));
    M.execute(Current);
  }
  S.EndRun(Run.Complete);
  Run.Final = M.verdict();
  if (Options.Classes)
    Run.Class = Class.Hash();
  return Run;
}

uint64_t classOf(const MachineProgram &P, const Interleaving &Threads,
                 uint64_t Base) {
  static ScheduleClass Class;
  Machine M(P);
  Class.Begin();
  for (unsigned Thread : Threads) {
    Class.Execute(Thread, asStep(M.next(Thread), Base));
    M.execute(Thread);
  }
  return Class.Hash();
}

} // namespace atsan_test

// What sanitizer_common wants from every tool.
void __sanitizer::BufferedStackTrace::UnwindImpl(uptr pc, uptr, void *, bool,
                                                 u32) {
  trace_buffer[0] = pc;
  size = 1;
}
