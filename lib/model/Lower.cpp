//===- Lower.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Lower.h"
#include "lib/model/BodyLowering.h"

using namespace atsan::model;

namespace {

/// The calls between procedures; finds a cycle.
class CallGraph {
public:
  explicit CallGraph(const Model &M);
  /// A procedure on a cycle; null if there is none.
  const Top *findCycle() const;

private:
  struct Call {
    size_t To;
    Position At;
  };
  void collect(const Block &B, std::vector<Call> &Calls) const;
  void collect(const std::vector<Expr> &All, std::vector<Call> &Calls) const;

  std::map<std::string, size_t> Numbers;
  std::vector<const Top *> Procedures;
  std::vector<std::vector<Call>> Out;
};

class Lowering {
public:
  Lowering(const Model &M, Calls How) : M(M) { In.How = How; }
  Program lower();

private:
  void declare(const Top &T);
  void variables(const Top &T);
  void locks(const Top &T);
  void abstractRegister(const Top &T);
  void procedure(const Top &T);
  void thread(const Top &T);
  uint32_t replicas(const Top &T) const;

  const Model &M;
  LoweringContext In;
  std::vector<const Top *> Procedures;
  uint32_t Replicas = 0; // All threads together.
};

} // namespace

CallGraph::CallGraph(const Model &M) {
  for (const Top &T : M.Tops)
    if (T.Is == Top::Kind::Procedure &&
        Numbers.emplace(T.Name, Procedures.size()).second)
      Procedures.push_back(&T);
  for (const Top *T : Procedures) {
    Out.emplace_back();
    collect(T->Body, Out.back());
  }
}

void CallGraph::collect(const std::vector<Expr> &All,
                        std::vector<Call> &Calls) const {
  for (const Expr &E : All) {
    if (E.Is == Expr::Kind::Call)
      if (const auto It = Numbers.find(E.Name); It != Numbers.end())
        Calls.push_back({It->second, E.At});
    collect(E.Parts, Calls);
  }
}

void CallGraph::collect(const Block &B, std::vector<Call> &Calls) const {
  for (const Stmt &S : B.Body) {
    collect(S.Parts, Calls);
    for (const Block &Inner : S.Blocks)
      collect(Inner, Calls);
  }
}

const Top *CallGraph::findCycle() const {
  // Without procedures that call none, again and again: cycles are left.
  std::vector<size_t> Open(Procedures.size());
  std::vector<std::vector<size_t>> Callers(Procedures.size());
  std::vector<size_t> Done;
  for (size_t I = 0; I < Out.size(); ++I) {
    Open[I] = Out[I].size();
    for (const Call &C : Out[I])
      Callers[C.To].push_back(I);
    if (!Open[I])
      Done.push_back(I);
  }
  for (size_t At = 0; At < Done.size(); ++At)
    for (const size_t Caller : Callers[Done[At]])
      if (!--Open[Caller])
        Done.push_back(Caller);
  // Among what is left, calls lead to a cycle.
  for (size_t I = 0; I < Open.size(); ++I) {
    if (!Open[I])
      continue;
    std::vector<bool> Seen(Open.size());
    for (size_t Now = I;;) {
      if (Seen[Now])
        return Procedures[Now];
      Seen[Now] = true;
      for (const Call &C : Out[Now])
        if (Open[C.To]) {
          Now = C.To;
          break;
        }
    }
  }
  return nullptr;
}

std::string atsan::model::recursiveProcedure(const Model &M) {
  const Top *T = CallGraph(M).findCycle();
  return T ? T->Name : std::string();
}

void Lowering::variables(const Top &T) {
  const Range Of = In.Known.range(T.Vars.Of);
  std::vector<Variable> &All = In.Result.Variables;
  for (const Item &I : T.Vars.Items) {
    const std::vector<Value> Initial = In.Known.initial(I, Of);
    Symbol S;
    S.Is = Symbol::Kind::Variable;
    S.IsArray = !I.Size.empty();
    S.Of = Of;
    S.At = I.At;
    S.First = All.size();
    S.Count = Initial.size();
    if (All.size() + S.Count > MaxVariables)
      throw ModelError(I.At,
                       "the model has more than " +
                           std::to_string(MaxVariables) + " variables",
                       "make arrays smaller");
    for (uint32_t At = 0; At < S.Count; ++At)
      All.push_back(
          {S.IsArray ? I.Name + "[" + std::to_string(At) + "]" : I.Name,
           T.Vars.Is, Of, Initial[At], I.At});
    In.Known.add(I.Name, S);
  }
}

void Lowering::locks(const Top &T) {
  std::vector<Lock> &All = In.Result.Locks;
  for (const Item &I : T.Vars.Items) {
    Symbol S;
    S.Is = Symbol::Kind::Lock;
    S.IsArray = !I.Size.empty();
    S.At = I.At;
    S.First = All.size();
    S.Count = In.Known.size(I);
    if (All.size() + S.Count > MaxVariables)
      throw ModelError(I.At,
                       "the model has more than " +
                           std::to_string(MaxVariables) + " locks",
                       "make arrays smaller");
    for (uint32_t At = 0; At < S.Count; ++At)
      All.push_back(
          {S.IsArray ? I.Name + "[" + std::to_string(At) + "]" : I.Name, I.At});
    In.Known.add(I.Name, S);
  }
}

void Lowering::abstractRegister(const Top &T) {
  const Item &I = T.Vars.Items[0];
  if (!I.Size.empty())
    throw ModelError(I.At, "a register is no array",
                     "declare several registers");
  const Range Of = In.Known.range(T.Vars.Of);
  Symbol S;
  S.Is = Symbol::Kind::Register;
  S.Of = Of;
  S.At = I.At;
  S.First = In.Result.Registers.size();
  In.Result.Registers.push_back({I.Name, Of, In.Known.initial(I, Of)[0], I.At});
  In.Known.add(I.Name, S);
}

void Lowering::declare(const Top &T) {
  Symbol S;
  S.At = T.At;
  switch (T.Is) {
  case Top::Kind::Constant:
    S.Number = In.Known.constant(T.Vars.Items[0].Initial[0]);
    S.At = T.Vars.Items[0].At;
    return In.Known.add(T.Vars.Items[0].Name, S);
  case Top::Kind::Variable:
    return variables(T);
  case Top::Kind::Lock:
    return locks(T);
  case Top::Kind::Register:
    return abstractRegister(T);
  case Top::Kind::Procedure:
    S.Is = Symbol::Kind::Procedure;
    S.Definition = &T;
    S.First = Procedures.size();
    Procedures.push_back(&T);
    return In.Known.add(T.Name, S);
  case Top::Kind::Thread:
    S.Is = Symbol::Kind::Thread;
    return In.Known.add(T.Name, S);
  }
}

uint32_t Lowering::replicas(const Top &T) const {
  if (T.Count.empty())
    return 1;
  const Value Count = In.Known.constant(T.Count[0]);
  if (Count < 1 || static_cast<uint32_t>(Count) > MaxThreads - Replicas)
    throw ModelError(T.At,
                     "there cannot be " + std::to_string(Count) + " threads",
                     "give a number from 1 to " + std::to_string(MaxThreads) +
                         ", or [*] for any number");
  return Count;
}

void Lowering::thread(const Top &T) {
  Thread New;
  New.Code.Name = T.Name;
  New.At = T.At;
  New.Count = replicas(T);
  Replicas += New.Count;
  New.IsAnyNumber = T.IsAnyNumber;
  New.IsReplicated = T.IsAnyNumber || !T.Count.empty();
  BodyLowering(In, New.Code).thread(T, T.IsAnyNumber ? 0 : New.Count);
  In.Result.Threads.push_back(std::move(New));
}

Program Lowering::lower() {
  for (const Top &T : M.Tops)
    declare(T);
  for (const Top *T : Procedures) {
    Automaton A;
    A.Name = T->Name;
    BodyLowering(In, A).procedure(*T);
    if (In.How == Calls::Keep)
      In.Result.Procedures.push_back(std::move(A));
  }
  if (In.How == Calls::Expand)
    if (const Top *T = CallGraph(M).findCycle())
      throw ModelError(T->At, "'" + T->Name + "' calls itself", "write a loop");
  for (const Top &T : M.Tops)
    if (T.Is == Top::Kind::Thread)
      thread(T);
  if (In.Result.Threads.empty())
    throw ModelError({1, 1}, "the model has no thread", "add thread T { ... }");
  return std::move(In.Result);
}

Program atsan::model::lower(const Model &M, Calls C) {
  return Lowering(M, C).lower();
}
