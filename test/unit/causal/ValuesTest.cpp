//===- ValuesTest.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Causal atomicity where values are kept, against the definition, on all runs
// of random programs without loops. The runs come from the interpreter of
// lib/model, which keeps all data. ATSAN_DIFF_PROGRAMS sets how many.
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Analysis.h"
#include "lib/model/Lower.h"
#include "lib/model/Machine.h"
#include "lib/model/Parser.h"
#include "test/unit/Setting.h"
#include "test/unit/model/RandomProgram.h"
#include <gtest/gtest.h>

using namespace atsan;
using namespace atsan::causal;
using model::Action;

namespace {

class NoProperty final : public model::Property {
public:
  std::vector<unsigned> widths() const override { return {}; }
};

/// One event of a run: a step, or one action.
struct Event {
  unsigned Thread = 0;
  std::vector<Action> Actions;
};

bool isAccess(const Action &A) {
  return A.What->Is == Edge::Kind::Read || A.What->Is == Edge::Kind::Write ||
         A.What->Is == Edge::Kind::Cas;
}

bool isLock(const Action &A) {
  return A.What->Is == Edge::Kind::Acquire || A.What->Is == Edge::Kind::Release;
}

bool depends(const Event &A, const Event &B) {
  if (A.Thread == B.Thread)
    return true;
  for (const Action &X : A.Actions)
    for (const Action &Y : B.Actions)
      if (X.Object == Y.Object &&
          ((isLock(X) && isLock(Y)) ||
           (isAccess(X) && isAccess(Y) && (X.IsWrite || Y.IsWrite))))
        return true;
  return false;
}

std::vector<Event> eventsOf(const std::vector<Action> &Run) {
  std::vector<Event> All;
  bool InStep = false;
  for (const Action &A : Run) {
    if (!InStep)
      All.push_back({A.Thread, {}});
    All.back().Actions.push_back(A);
    if (A.What->Is == Edge::Kind::StepBegin)
      InStep = true;
    if (A.What->Is == Edge::Kind::StepEnd)
      InStep = false;
  }
  return All;
}

/// Notes the regions one of whose blocks is not causally atomic in the run.
void note(const std::vector<Event> &Run, std::vector<bool> &IsBad) {
  std::vector<std::vector<uint32_t>> Open(4);
  for (size_t I = 0; I < Run.size(); ++I) {
    const Edge &E = *Run[I].Actions[0].What;
    auto &Here = Open[Run[I].Thread];
    std::vector<std::pair<uint32_t, size_t>> Begins; // Region and depth.
    if (E.Is == Edge::Kind::Begin) {
      Here.push_back(E.Number);
      Begins.push_back({E.Number, Here.size()});
    } else if (E.Is == Edge::Kind::End) {
      Here.pop_back();
    } else if (E.Is == Edge::Kind::Restart) {
      for (size_t D = 0; D < Here.size(); ++D)
        Begins.push_back({Here[D], D + 1});
    }
    for (const auto &[Region, Depth] : Begins) {
      // What is behind the begin, and what is so through another thread.
      std::vector<bool> Behind(Run.size()), Through(Run.size());
      Behind[I] = true;
      size_t Now = Here.size();
      for (size_t J = I + 1; J < Run.size(); ++J) {
        const bool IsOwn = Run[J].Thread == Run[I].Thread;
        for (size_t K = I; K < J; ++K)
          if (Behind[K] && depends(Run[J], Run[K])) {
            Behind[J] = true;
            Through[J] = Through[J] || Through[K] || !IsOwn;
          }
        if (!IsOwn)
          continue;
        const Edge::Kind Is = Run[J].Actions[0].What->Is;
        Now += Is == Edge::Kind::Begin;
        Now -= Is == Edge::Kind::End;
        if (Now < Depth || Is == Edge::Kind::Restart)
          break;
        if (Through[J])
          IsBad[Region] = true;
      }
    }
  }
}

/// All runs of a program without loops, to their ends. False if there are more
/// than \p Most.
class AllRuns {
public:
  AllRuns(const Program &P, size_t Most)
      : Shared(P), M(P, Shared, None), Left(Most), IsBad(P.Regions.size()) {}

  bool look() {
    model::Outcomes First;
    First.WantsLogs = true;
    M.begin(First);
    for (size_t I = 0; I < First.size(); ++I)
      if (!visit(First[I]))
        return false;
    return true;
  }
  const std::vector<bool> &bad() const { return IsBad; }

private:
  NoProperty None;
  model::Sharing Shared;
  model::Machine M;
  size_t Left;
  std::vector<bool> IsBad;

  bool visit(const model::Outcomes::One &Now) {
    bool IsLast = true;
    for (unsigned T = 0; T < M.threads(); ++T) {
      model::Outcomes Next;
      Next.WantsLogs = true;
      M.step(Now.State.data(), T, Next);
      for (size_t I = 0; I < Next.size(); ++I) {
        IsLast = false;
        model::Outcomes::One Longer = Next[I];
        Longer.Log.insert(Longer.Log.begin(), Now.Log.begin(), Now.Log.end());
        if (!visit(Longer))
          return false;
      }
    }
    if (!IsLast)
      return true;
    if (!Left--)
      return false;
    note(eventsOf(Now.Log), IsBad);
    return true;
  }
};

std::string allSync(std::string Text) {
  for (const char *Name : {"a", "b", "c"}) {
    const std::string Old = std::string("int[0..2] ") + Name + ";";
    const size_t At = Text.find(Old);
    if (At != std::string::npos &&
        (At < 5 || Text.compare(At - 5, 5, "sync ") != 0))
      Text.insert(At, "sync ");
  }
  return Text;
}

TEST(CausalValues, Differential) {
  const size_t Programs = atsan_test::setting("ATSAN_DIFF_PROGRAMS", 100);
  std::mt19937_64 Random(6);
  size_t Compared = 0, Bad = 0, Good = 0, Large = 0;
  while (Compared < Programs) {
    const std::string Text =
        allSync(atsan_test::randomProgram(Random, 2 + Random() % 2, 4).text());
    SCOPED_TRACE(Text);
    const Program P = model::lower(model::parse(Text), model::Calls::Expand);
    if (P.Regions.empty())
      continue;
    AllRuns Runs(P, 2000);
    if (!Runs.look()) {
      ++Large;
      continue;
    }
    ++Compared;
    for (const Engine E :
         {Engine::All, Engine::Unfolding, Engine::Explicit, Engine::Forward}) {
      net::Budget B(60, 0);
      const CausalResult R = analyse(P, E, B);
      for (const BlockVerdict &V : R.Blocks) {
        ASSERT_EQ(V.What == net::Verdict::Coverable, Runs.bad()[V.Region])
            << "engine " << static_cast<int>(E) << ", region " << V.Region;
        ASSERT_FALSE(V.IsMay); // Nothing was dropped.
        (V.What == net::Verdict::Coverable ? Bad : Good)++;
      }
    }
  }
  std::printf(
      "%zu programs, %zu verdicts atomic, %zu not; %zu more too large\n",
      Compared, Good, Bad, Large);
  EXPECT_GT(Good, Programs / 4);
  EXPECT_GT(Bad, Programs / 4);
}

} // namespace
