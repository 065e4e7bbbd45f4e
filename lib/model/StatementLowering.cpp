//===- StatementLowering.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements.
//
//===----------------------------------------------------------------------===//

#include "lib/model/BodyLowering.h"

using namespace atsan::model;

void BodyLowering::thread(const Top &T, uint32_t Count) {
  Replicas = Count;
  block(T.Body);
}

void BodyLowering::procedure(const Top &T) {
  // Threads that call it may be replicated.
  Replicas = 1;
  IsAlone = true;
  Frame F;
  F.Is = Frame::Kind::Procedure;
  F.Code = &T;
  Known.enter();
  addParameters(T, nullptr, T.At);
  if (T.Result) {
    F.HasResult = true;
    F.ResultOf = Known.range(*T.Result);
    F.Result = temporary(F.ResultOf, T.At);
  }
  const uint32_t Begin = Out.here();
  F.Exit = Out.addNode(T.Body.End);
  Frames.push_back(F);
  block(T.Body);
  if (T.Result)
    requireResult(Begin, T.Body.End, "procedure");
  Out.skipTo(F.Exit, T.Body.End);
  Out.goTo(F.Exit);
  Frames.pop_back();
  Known.leave();
}

bool BodyLowering::isReachable(uint32_t Node, uint32_t From) const {
  std::vector<bool> Seen(To.Nodes.size());
  std::vector<uint32_t> Work = {From};
  Seen[From] = true;
  while (!Work.empty()) {
    const uint32_t Now = Work.back();
    Work.pop_back();
    for (const Edge &E : To.Nodes[Now].Out)
      if (!Seen[E.To]) {
        Seen[E.To] = true;
        Work.push_back(E.To);
      }
  }
  return Seen[Node];
}

void BodyLowering::requireResult(uint32_t From, Position End,
                                 const char *What) {
  if (isReachable(Out.here(), From))
    throw ModelError(End,
                     std::string("this ") + What + " can end without a result",
                     "add return with a value at its end");
}

void BodyLowering::block(const Block &B) {
  Known.enter();
  const size_t Mark = Out.mark();
  for (const Stmt &S : B.Body)
    statement(S);
  Out.release(Mark);
  Known.leave();
}

void BodyLowering::statement(const Stmt &S) {
  if (S.Is == Stmt::Kind::Declare)
    return declare(S);
  const size_t Mark = Out.mark();
  switch (S.Is) {
  case Stmt::Kind::Block:
    block(S.Blocks[0]);
    break;
  case Stmt::Kind::Declare:
  case Stmt::Kind::Skip:
    break;
  case Stmt::Kind::Assign:
    assign(S);
    break;
  case Stmt::Kind::Do:
    if (S.Parts[0].Is == Expr::Kind::Cas) {
      cas(S.Parts[0]);
      break;
    }
    requireOutsideStep(S);
    call(S.Parts[0]);
    break;
  case Stmt::Kind::If:
    conditional(S);
    break;
  case Stmt::Kind::While:
    loop(S);
    break;
  case Stmt::Kind::Choose:
    alternatives(S);
    break;
  case Stmt::Kind::Region:
    region(S);
    break;
  case Stmt::Kind::Step:
    step(S);
    break;
  case Stmt::Kind::Operation:
    operation(S);
    break;
  case Stmt::Kind::Acquire:
  case Stmt::Kind::Release:
    lockStatement(S);
    break;
  case Stmt::Kind::Assume:
  case Stmt::Kind::Assert:
    testStatement(S);
    break;
  case Stmt::Kind::Break:
  case Stmt::Kind::Continue:
    jump(S);
    break;
  case Stmt::Kind::Return:
    returnFrom(S);
    break;
  case Stmt::Kind::Restart:
    restart(S);
    break;
  }
  Out.release(Mark);
}

void BodyLowering::set(Place Target, Formula What, Position At) {
  Edge E = edge(Edge::Kind::Set, At);
  E.Target = std::move(Target);
  E.What = std::move(What);
  Out.add(std::move(E));
}

void BodyLowering::write(Place Where, Formula What, Position At) {
  Edge E = edge(Edge::Kind::Write, At);
  E.Where = std::move(Where);
  E.What = std::move(What);
  Out.add(std::move(E));
}

void BodyLowering::declare(const Stmt &S) {
  if (S.Declared.Is != Storage::Data || S.Declared.SaysAtomic)
    throw ModelError(S.At, "a thread's own variable is of no special kind",
                     "declare it outside of threads, or leave the word out");
  const Range Of = Known.range(S.Declared.Of);
  for (const Item &I : S.Declared.Items) {
    Symbol New;
    New.Is = Symbol::Kind::Local;
    New.IsArray = !I.Size.empty();
    New.Of = Of;
    New.At = I.At;
    New.Count = Known.size(I);
    const bool IsComputed = I.Initial.size() == 1 && !I.HasList;
    std::vector<Value> Initial;
    Formula First;
    const size_t Mark = Out.mark();
    if (IsComputed)
      First = ofType(I.Initial[0], Of.IsBool);
    else
      Initial = Known.initial(I, Of);
    Out.release(Mark);
    New.First = Out.allocate(I.Name, Of, New.Count, I.At);
    for (uint32_t At = 0; At < New.Count; ++At)
      set(local(New.First + At),
          IsComputed ? First : Formula::number(Initial[At]), I.At);
    Known.add(I.Name, New);
  }
}

void BodyLowering::assignChoice(const Stmt &S, const Expr &Choice) {
  const Expr &Left = S.Parts[0];
  const Symbol Of = Known.get(Left.Name, Left.At);
  Edge Any = edge(Edge::Kind::Choose, S.At);
  Any.What = Formula::number(Of.Of.Low);
  Any.Second = Formula::number(Of.Of.High);
  if (Choice.Is == Expr::Kind::ChooseRange) {
    if (Of.Of.IsBool)
      throw ModelError(Choice.At, "a truth value has no range",
                       "write x := choose;");
    Any.What = number(Choice.Parts[0]);
    Any.Second = number(Choice.Parts[1]);
  }
  Place Target = place(Left, Of);
  if (Of.Is == Symbol::Kind::Local) {
    Any.Target = std::move(Target);
    return Out.add(std::move(Any));
  }
  const uint32_t Chosen = temporary(Of.Of, S.At);
  Any.Target = local(Chosen);
  Out.add(std::move(Any));
  write(std::move(Target), Formula::local(Chosen), S.At);
}

void BodyLowering::assign(const Stmt &S) {
  const Expr &Left = S.Parts[0], &Right = S.Parts[1];
  const Symbol Of = Known.get(Left.Name, Left.At);
  if (Of.Is != Symbol::Kind::Local && Of.Is != Symbol::Kind::Variable)
    throw ModelError(Left.At,
                     "'" + Left.Name + "' is " + kindName(Of.Is) +
                         ", to which nothing can be assigned",
                     "assign to a variable");
  if (Right.Is == Expr::Kind::Choose || Right.Is == Expr::Kind::ChooseRange)
    return assignChoice(S, Right);
  Place Target = place(Left, Of);
  Typed What;
  if (Right.Is == Expr::Kind::Call) {
    requireOutsideStep(S);
    What = call(Right);
    if (What.What.empty())
      throw ModelError(Right.At, "'" + Right.Name + "' returns nothing",
                       "give it a type: proc int " + Right.Name + "(...)");
  } else {
    What = expression(Right);
  }
  if (What.IsBool != Of.Of.IsBool)
    throw ModelError(Right.At,
                     std::string("'") + Left.Name + "' is " +
                         (Of.Of.IsBool ? "a truth value" : "a number") +
                         ", but this is not",
                     Of.Of.IsBool ? "compare it, such as x != 0"
                                  : "use if (...) to make a number of it");
  if (Of.Is == Symbol::Kind::Local)
    set(std::move(Target), std::move(What.What), S.At);
  else
    write(std::move(Target), std::move(What.What), S.At);
}

void BodyLowering::conditional(const Stmt &S) {
  const uint32_t Then = Out.addNode(S.At), Else = Out.addNode(S.At),
                 Done = Out.addNode(S.At);
  branch(S.Parts[0], Then, Else);
  Out.goTo(Then);
  block(S.Blocks[0]);
  Out.skipTo(Done, S.Blocks[0].End);
  Out.goTo(Else);
  if (S.Blocks.size() > 1)
    block(S.Blocks[1]);
  Out.skipTo(Done, S.At);
  Out.goTo(Done);
}

void BodyLowering::loop(const Stmt &S) {
  requireOutsideStep(S);
  Frame F;
  F.Is = Frame::Kind::Loop;
  F.Again = Out.addNode(S.At);
  F.Exit = Out.addNode(S.At);
  F.Regions = OpenRegions.size();
  const uint32_t Body = Out.addNode(S.At);
  Out.skipTo(F.Again, S.At);
  Out.goTo(F.Again);
  branch(S.Parts[0], Body, F.Exit);
  Out.goTo(Body);
  Frames.push_back(F);
  block(S.Blocks[0]);
  Frames.pop_back();
  Out.skipTo(F.Again, S.Blocks[0].End);
  Out.goTo(F.Exit);
}

void BodyLowering::alternatives(const Stmt &S) {
  const uint32_t From = Out.here(), Done = Out.addNode(S.At);
  std::vector<uint32_t> Begins;
  for (const Block &B : S.Blocks) {
    Begins.push_back(Out.addNode(S.At));
    Out.goTo(From);
    Out.skipTo(Begins.back(), S.At);
    Out.goTo(Begins.back());
    block(B);
    Out.skipTo(Done, B.End);
  }
  Out.goTo(Done);
}

void BodyLowering::region(const Stmt &S) {
  requireOutsideStep(S);
  const auto [It, IsNew] = In.RegionAt.emplace(
      std::make_pair(S.At.Line, S.At.Column), P.Regions.size());
  if (IsNew)
    P.Regions.push_back({S.Name, S.At});
  OpenRegions.push_back(It->second);
  Edge Begin = edge(Edge::Kind::Begin, S.At);
  Begin.Number = It->second;
  Begin.Depth = OpenRegions.size();
  Out.add(std::move(Begin));
  block(S.Blocks[0]);
  endRegions(OpenRegions.size() - 1, S.Blocks[0].End);
  OpenRegions.pop_back();
}

void BodyLowering::endRegions(size_t Down, Position At) {
  for (size_t I = OpenRegions.size(); I > Down; --I) {
    Edge End = edge(Edge::Kind::End, At);
    End.Number = OpenRegions[I - 1];
    End.Depth = I;
    Out.add(std::move(End));
  }
}

void BodyLowering::restart(const Stmt &S) {
  requireOutsideStep(S);
  // A procedure may be called within a region.
  if (OpenRegions.empty() && !IsAlone)
    throw ModelError(S.At, "there is no region to restart",
                     "restart stands within atomic { ... } or begin ... end");
  Out.add(edge(Edge::Kind::Restart, S.At));
}

void BodyLowering::step(const Stmt &S) {
  requireOutsideStep(S);
  Frame F;
  F.Is = Frame::Kind::Step;
  Frames.push_back(F);
  Out.add(edge(Edge::Kind::StepBegin, S.At));
  block(S.Blocks[0]);
  Out.add(edge(Edge::Kind::StepEnd, S.Blocks[0].End));
  Frames.pop_back();
}

void BodyLowering::requireOutsideStep(const Stmt &S) const {
  if (!Frames.empty() && Frames.back().Is == Frame::Kind::Step)
    throw ModelError(S.At,
                     "a step has no loops, calls, regions, operations or "
                     "jumps",
                     "a step consists of assignments, if, choose, assume, "
                     "assert, acquire and release");
}

void BodyLowering::operation(const Stmt &S) {
  requireOutsideStep(S);
  const Symbol Of = Known.get(S.Name, S.At);
  if (Of.Is != Symbol::Kind::Register)
    throw ModelError(S.At, "'" + S.Name + "' is " + kindName(Of.Is),
                     "declare register bool " + S.Name + ";");
  Frame F;
  F.Is = Frame::Kind::Operation;
  F.IsWrite = S.Method == "write";
  F.Regions = OpenRegions.size();
  F.Result = Of.First;
  F.ResultOf = Of.Of;
  F.HasResult = !F.IsWrite;
  if (S.Parts.size() != (F.IsWrite ? 1 : 0))
    throw ModelError(S.At, "a write has one argument, a read has none",
                     "write " + S.Name + (F.IsWrite ? ".write(v)" : ".read()"));
  for (const Frame &Around : Frames)
    if (Around.Is == Frame::Kind::Operation)
      throw ModelError(S.At, "an operation cannot stand in another one",
                       "end the other one before");
  Edge Invoke = edge(Edge::Kind::Invoke, S.At);
  Invoke.Number = Of.First;
  Invoke.IsWrite = F.IsWrite;
  if (F.IsWrite)
    Invoke.What = ofType(S.Parts[0], Of.Of.IsBool);
  Out.add(std::move(Invoke));
  F.Exit = Out.addNode(S.Blocks[0].End);
  const uint32_t Begin = Out.here();
  Frames.push_back(F);
  block(S.Blocks[0]);
  if (F.IsWrite)
    returnEdge(F, Formula(), S.Blocks[0].End);
  else
    requireResult(Begin, S.Blocks[0].End, "read");
  Frames.pop_back();
  Out.goTo(F.Exit);
}

void BodyLowering::returnEdge(const Frame &F, Formula What, Position At) {
  Edge Return = edge(Edge::Kind::Return, At);
  Return.Number = F.Result;
  Return.IsWrite = F.IsWrite;
  Return.What = std::move(What);
  Out.addTo(std::move(Return), F.Exit);
}

void BodyLowering::lockStatement(const Stmt &S) {
  const bool IsAcquire = S.Is == Stmt::Kind::Acquire;
  const Expr &Of = S.Parts[0];
  const bool IsName = Of.Is == Expr::Kind::Name || Of.Is == Expr::Kind::Element;
  const Symbol *Found = IsName ? &Known.get(Of.Name, Of.At) : nullptr;
  if (!Found || Found->Is != Symbol::Kind::Lock)
    throw ModelError(Of.At, "this is no lock", "declare it: lock NAME;");
  const Symbol Lock = *Found;
  Edge E = edge(IsAcquire ? Edge::Kind::Acquire : Edge::Kind::Release, S.At);
  E.Where = place(Of, Lock);
  Out.add(std::move(E));
}

void BodyLowering::testStatement(const Stmt &S) {
  Edge E =
      edge(S.Is == Stmt::Kind::Assume ? Edge::Kind::Assume : Edge::Kind::Assert,
           S.At);
  IsInAssume = S.Is == Stmt::Kind::Assume;
  E.What = truth(S.Parts[0]);
  IsInAssume = false;
  Out.add(std::move(E));
}

const BodyLowering::Frame *BodyLowering::innermost(Frame::Kind Is) const {
  for (auto F = Frames.rbegin(); F != Frames.rend(); ++F) {
    if (F->Is == Is)
      return &*F;
    if (F->Is != Frame::Kind::Loop)
      return nullptr;
  }
  return nullptr;
}

void BodyLowering::jump(const Stmt &S) {
  requireOutsideStep(S);
  const Frame *F = innermost(Frame::Kind::Loop);
  if (!F)
    throw ModelError(S.At, "there is no loop here",
                     "break and continue stand within while");
  endRegions(F->Regions, S.At);
  Out.skipTo(S.Is == Stmt::Kind::Break ? F->Exit : F->Again, S.At);
  Out.goTo(Out.addNode(S.At));
}

void BodyLowering::returnFrom(const Stmt &S) {
  requireOutsideStep(S);
  const Frame *Found = innermost(Frame::Kind::Operation);
  if (!Found)
    Found = innermost(Frame::Kind::Procedure);
  if (!Found)
    throw ModelError(S.At, "there is nothing to return from",
                     "return stands within a procedure or an operation");
  const Frame F = *Found;
  if (S.Parts.empty() == F.HasResult)
    throw ModelError(S.At,
                     F.HasResult ? "the result is missing"
                                 : "nothing is returned from here",
                     F.HasResult ? "write return x;" : "write return;");
  Formula What;
  if (F.HasResult)
    What = ofType(S.Parts[0], F.ResultOf.IsBool);
  if (F.Is == Frame::Kind::Operation) {
    endRegions(F.Regions, S.At);
    returnEdge(F, std::move(What), S.At);
  } else {
    if (F.HasResult)
      set(local(F.Result), std::move(What), S.At);
    endRegions(F.Regions, S.At);
    Out.skipTo(F.Exit, S.At);
  }
  Out.goTo(Out.addNode(S.At));
}
