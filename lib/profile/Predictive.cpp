//===- Predictive.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/profile/Predictive.h"
#include "lib/model/Lower.h"
#include "lib/model/Serializable.h"
#include "lib/profile/Cycles.h"
#include "lib/profile/Product.h"
#include "lib/profile/Words.h"
#include <algorithm>

namespace atsan::profile {

using model::Action;
using model::Edge;
using model::ModelError;
using model::Program;

namespace {

/// A run that is longer is not printed: nobody would read it.
constexpr size_t MaxActions = 1000000;

/// Calls F for each automaton that the thread runs, procedures included.
template <typename Function>
void forEachCode(const Program &P, uint32_t Thread, Function F) {
  std::vector<bool> Seen(P.Procedures.size());
  std::vector<const model::Automaton *> Work = {&P.Threads[Thread].Code};
  while (!Work.empty()) {
    const model::Automaton &Now = *Work.back();
    Work.pop_back();
    F(Now);
    for (const model::Node &N : Now.Nodes)
      for (const Edge &E : N.Out)
        if (E.Is == Edge::Kind::Call && !Seen[E.Number]) {
          Seen[E.Number] = true;
          Work.push_back(&P.Procedures[E.Number]);
        }
  }
}

class Predictor {
public:
  Predictor(Program &P, bool WithLocks, bool IsRecursive, check::Limits &Limit,
            Prediction &To)
      : P(P), WithLocks(WithLocks), IsRecursive(IsRecursive), Limit(Limit),
        To(To) {}

  void run() {
    findMatters();
    for (uint32_t T = 0; T < P.Threads.size(); ++T)
      addClasses(T);
    const auto Found =
        Limit.reached() ? std::nullopt : findCycle(Classes, WithLocks, Limit);
    To.Found.GaveUp = Limit.why();
    if (Found)
      show(*Found);
  }

private:
  Program &P;
  bool WithLocks, IsRecursive;
  check::Limits &Limit;
  Prediction &To;
  std::vector<ThreadClass> Classes;
  std::vector<model::ThreadId> FirstOf; ///< By class.
  std::vector<bool> Matters;            ///< By access.
  Trails Done;

  /// Accesses matter if another thread may have one that conflicts.
  void findMatters() {
    const size_t Count = 2 * P.Variables.size();
    std::vector<uint32_t> Threads(Count); // By access; 2 is several.
    Matters.resize(Count);
    for (uint32_t T = 0; T < P.Threads.size(); ++T) {
      std::vector<bool> Has(Count);
      forEachCode(P, T, [&](const model::Automaton &Code) {
        for (const model::Node &N : Code.Nodes)
          for (const Edge &E : N.Out)
            addAccesses(E, Has);
      });
      const model::Thread &Of = P.Threads[T];
      const uint32_t Number = Of.IsAnyNumber || Of.Count > 1 ? 2 : 1;
      for (size_t A = 0; A < Count; ++A)
        Threads[A] += Has[A] ? Number : 0;
    }
    for (size_t V = 0; V < P.Variables.size(); ++V) {
      const bool IsData = P.Variables[V].Is == model::Storage::Data;
      const uint32_t Reads = Threads[2 * V], Writes = Threads[2 * V + 1];
      Matters[2 * V] = IsData && Reads && Writes;
      Matters[2 * V + 1] = IsData && (Writes > 1 || (Writes && Reads));
    }
  }

  static void addAccesses(const Edge &E, std::vector<bool> &Has) {
    if (E.Is != Edge::Kind::Read && E.Is != Edge::Kind::Write &&
        E.Is != Edge::Kind::Cas)
      return;
    for (uint32_t I = 0; I < E.Where.Count; ++I)
      Has[2 * (E.Where.First + I) + (E.Is != Edge::Kind::Read)] = true;
  }

  /// Replicas are alike unless they ask for their numbers.
  void addClasses(uint32_t T) {
    const model::Thread &Of = P.Threads[T];
    bool UsesSelf = false;
    forEachCode(P, T, [&](const model::Automaton &Code) {
      UsesSelf |= Code.Self.has_value();
    });
    if (Of.IsAnyNumber && WithLocks)
      throw ModelError(Of.At,
                       "any number of threads with locks are not predicted",
                       "give a number, such as " + Of.Code.Name +
                           "[4], or use --locks=ignored");
    if (Of.IsAnyNumber)
      return addClass({T, 0}, ThreadClass::AnyNumber);
    if (!UsesSelf)
      return addClass({T, 0}, Of.Count);
    for (uint32_t I = 0; I < Of.Count; ++I)
      addClass({T, I}, 1);
  }

  void addClass(model::ThreadId First, uint32_t Count) {
    if (Limit.reached())
      return;
    const Flow F = makeFlow(P, First, WithLocks, Limit);
    if (F.NotNested)
      refuse(*F.NotNested);
    ThreadClass C;
    C.Count = Count;
    if (!Limit.reached())
      C.Profiles = findProfiles(P, F, WithLocks, Matters, Done, Limit);
    To.Profiles += C.Profiles.size();
    Classes.push_back(std::move(C));
    FirstOf.push_back(First);
  }

  [[noreturn]] void refuse(const Edge &Release) const {
    throw ModelError(
        Release.At,
        "a lock is released before one that was taken behind it: locks are not "
        "nested" +
            std::string(IsRecursive ? ", which is undecidable with recursive "
                                      "procedures (TACAS'09, Theorem 5)"
                                    : ""),
        IsRecursive ? "nest them, write a loop, or use --locks=ignored"
                    : "use --locks=product, or --locks=ignored");
  }

  /// Makes a run of the cycle.
  void show(const Cycle &C) {
    std::vector<uint32_t> Offsets, Number(C.Passages.size());
    std::vector<uint32_t> Used(Classes.size());
    for (const Passage &Of : C.Passages)
      needReplicas(P.Threads[FirstOf[Of.Class].Thread], ++Used[Of.Class]);
    uint32_t Total = 0;
    for (const model::Thread &T : P.Threads) {
      Offsets.push_back(Total);
      Total += T.Count;
    }
    Used.assign(Classes.size(), 0);
    std::vector<std::vector<Trails::Part>> Parts(C.Passages.size());
    for (size_t I = 0; I < C.Passages.size(); ++I) {
      const uint32_t Class = C.Passages[I].Class;
      const model::ThreadId First = FirstOf[Class];
      Number[I] = Offsets[First.Thread] + First.Replica + Used[Class]++;
      if (!Done.expand(C.Passages[I].Is->Trail, MaxActions, Parts[I])) {
        To.Found.GaveUp =
            "a violation is possible, but its run has more than " +
            std::to_string(MaxActions) +
            " actions; make procedures that call others twice "
            "smaller";
        return;
      }
    }
    std::vector<size_t> At(C.Passages.size());
    for (const size_t I : C.Order)
      play(Parts[I], At[I], Number[I]);
  }

  /// An access or lock operation, or a step block as a whole.
  static bool isStep(const Trails::Part &Now) {
    switch (Now.Of->Is) {
    case Edge::Kind::Read:
    case Edge::Kind::Write:
    case Edge::Kind::Cas:
    case Edge::Kind::Acquire:
    case Edge::Kind::Release:
      return !Now.IsInStep;
    case Edge::Kind::StepBegin:
      return true;
    default:
      return false;
    }
  }

  static void needReplicas(model::Thread &T, uint32_t Count) {
    if (T.IsAnyNumber)
      T.Count = std::max(T.Count, Count);
  }

  /// Goes on up to the next token; through a step to its end.
  void play(const std::vector<Trails::Part> &Parts, size_t &At,
            uint32_t Number) {
    for (bool Was = false; At < Parts.size();) {
      const Trails::Part &Now = Parts[At++];
      Was |= Now.IsToken;
      act(Now, Number);
      const bool InStep = Now.IsInStep && Now.Of->Is != Edge::Kind::StepEnd;
      if (Was && !InStep)
        return;
    }
  }

  void act(const Trails::Part &Now, uint32_t Number) {
    Action A;
    A.Thread = Number;
    A.What = Now.Of;
    A.IsInStep = Now.IsInStep;
    A.IsWrite = Now.Made.Is == model::Move::Kind::Write;
    const uint32_t Locks = model::lockObject(P, 0);
    A.Object =
        Now.Made.Object >= Locks ? Now.Made.Object - Locks : Now.Made.Object;
    A.BeginsStep = isStep(Now);
    To.Found.Steps += A.BeginsStep;
    To.Found.Run.push_back(A);
  }
};

bool hasLocks(const Program &P) {
  bool Has = false;
  for (uint32_t T = 0; T < P.Threads.size(); ++T)
    forEachCode(P, T, [&](const model::Automaton &Code) {
      for (const model::Node &N : Code.Nodes)
        for (const Edge &E : N.Out)
          Has |= E.Is == Edge::Kind::Acquire || E.Is == Edge::Kind::Release;
    });
  return Has;
}

} // namespace

Prediction predict(const model::Model &M, Locks How,
                   const model::SearchOptions &O) {
  Prediction Result;
  const std::string Recursive = model::recursiveProcedure(M);
  if (How == Locks::Product) {
    if (!Recursive.empty())
      throw ModelError({1, 1},
                       "'" + Recursive +
                           "' calls itself, and there is no product of "
                           "recursive threads",
                       "use --locks=nested or --locks=ignored");
    Result.Of = makeProduct(model::lower(M, model::Calls::Expand), O);
    Result.Found = model::decideSerializable(Result.Of, O);
    return Result;
  }
  Result.Of = model::lower(M, model::Calls::Keep);
  model::requireAtomicVariables(Result.Of);
  check::Options Given;
  Given.MaxMemoryBytes = O.MaxMemoryBytes;
  Given.MaxSeconds = O.MaxSeconds;
  check::Limits Limit(Given);
  const bool WithLocks = How == Locks::Nested && hasLocks(Result.Of);
  Predictor(Result.Of, WithLocks, !Recursive.empty(), Limit, Result).run();
  return Result;
}

} // namespace atsan::profile
