//===- Concretize.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Concretize.h"
#include "lib/model/Lower.h"
#include <algorithm>
#include <map>
#include <set>

namespace atsan::causal {

namespace {

class Concretizer {
public:
  Concretizer(const Program &P, const ColouredNet &C,
              const std::vector<ThreadClass> &Classes)
      : P(P), C(C), Classes(Classes), Used(Classes.size()) {}

  Schedule run(const net::Run &R) {
    for (const net::Segment &S : R.Segments)
      for (uint64_t Time = 0; Time < S.Times; ++Time)
        for (const net::TransitionId T : S.Word)
          fire(C.Origins[T]);
    return std::move(Made);
  }

private:
  /// A thread of a class: its member, and which replica.
  struct Actor {
    size_t Member;
    uint32_t Replica;
    uint32_t State = 0; ///< A number of the skeleton.
  };
  enum Pool { Plain, Yellow, Chosen };
  using Where = std::tuple<uint32_t, uint32_t, Pool>; ///< Class, state, colour.

  const Program &P;
  const ColouredNet &C;
  const std::vector<ThreadClass> &Classes;
  /// How many threads of each class have moved.
  std::vector<uint32_t> Used;
  std::map<Where, std::vector<Actor>> At;
  Schedule Made;

  /// A thread that is there, or one that has not moved yet.
  Actor take(const Where &From) {
    std::vector<Actor> &There = At[From];
    if (!There.empty()) {
      const Actor A = There.back();
      There.pop_back();
      return A;
    }
    const uint32_t Class = std::get<0>(From);
    const auto &Members = Classes[Class].Members;
    uint32_t Number = Used[Class]++;
    for (size_t M = 0; M + 1 < Members.size(); ++M) {
      if (Number < Members[M].second)
        return {M, Number, 0};
      Number -= Members[M].second;
    }
    // A replica of the same thread may be in another class: it is no stand-in.
    const auto &[Last, Count] = Members.back();
    if (Number >= Count && !P.Threads[Last.Of.Thread].IsAnyNumber)
      Number += model::MaxThreads;
    return {Members.size() - 1, Number, 0};
  }

  void fire(const Origin &O) {
    const bool IsChosen = O.As == Origin::Role::Chosen;
    const Pool Before = IsChosen ? Chosen : O.IsYellow ? Yellow : Plain;
    const Pool Behind = O.As != Origin::Role::Other ? Chosen
                        : O.IsYellowNow             ? Yellow
                                                    : Plain;
    Actor A = take({O.Class, O.State, Before});
    const Skeleton &S = Classes[O.Class].Members[A.Member].first;
    const Step &Label = S.Classes[O.State].Out[O.Step];
    const Step &Of = S.stepAs(A.State, Label);
    A.State = Of.To;
    At[{O.Class, Label.To, Behind}].push_back(A);
    ScheduleStep New;
    New.Thread = {S.Of.Thread, S.Of.Replica + A.Replica};
    New.Path = Of.Path;
    New.DependsOnData = Of.DependsOnData;
    if (O.As == Origin::Role::Choose)
      New.Chooses = Of.Is == Step::Kind::Begin
                        ? Of.Region
                        : S.Classes[O.State].Open[O.Depth - 1];
    Made.push_back(std::move(New));
  }
};

} // namespace

Schedule concretize(const Program &P, const ColouredNet &C,
                    const std::vector<ThreadClass> &Classes,
                    const net::Run &R) {
  return Concretizer(P, C, Classes).run(R);
}

bool hasEnoughThreads(const Program &P, const Schedule &S) {
  return std::all_of(S.begin(), S.end(), [&](const ScheduleStep &Step) {
    const model::Thread &T = P.Threads[Step.Thread.Thread];
    return T.IsAnyNumber || Step.Thread.Replica < T.Count;
  });
}

size_t countThreads(const Schedule &S) {
  std::set<std::pair<uint32_t, uint32_t>> Threads;
  for (const ScheduleStep &Step : S)
    Threads.emplace(Step.Thread.Thread, Step.Thread.Replica);
  return Threads.size();
}

} // namespace atsan::causal
