//===- RunnerActions.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each kind of edge does.
//
//===----------------------------------------------------------------------===//

#include "lib/model/Runner.h"

using namespace atsan::model;

void Runner::log(const Way &W, const Edge &E, uint32_t Object, Value Result,
                 bool IsWrite, bool IsSecond) {
  if (!Out.WantsLogs)
    return;
  Action A;
  A.Thread = Thread;
  A.What = &E;
  A.Object = Object;
  A.Result = Result;
  A.IsWrite = IsWrite;
  A.IsInStep = W.IsInStep;
  A.IsSecond = IsSecond;
  Out[W.Outcome].Log.push_back(A);
}

Runner::Next Runner::fail(const Way &W, Fault F) {
  Out[W.Outcome].Error = F;
  return Next::Over;
}

Runner::Next Runner::failBefore(const Way &W, const Edge &E, Fault F) {
  log(W, E);
  if (Out.WantsLogs)
    Out[W.Outcome].Log.back().HasFailed = true;
  return fail(W, F);
}

// The way is left out, and what is said of the others is not said of all.
Runner::Next Runner::giveUp(const Edge &E) {
  Out.TooMany = &E;
  return Next::Stuck;
}

// The way goes on: if it leads to an assume that is false, it was none.
Runner::Next Runner::violate(const Way &W) {
  Out[W.Outcome].IsViolation = true;
  return Next::Goes;
}

Runner::Next Runner::take(Way &W, const Edge &E) {
  switch (E.Is) {
  case Edge::Kind::Skip:
    W.Node = E.To;
    return Next::Goes;
  case Edge::Kind::Set:
    return set(W, E);
  case Edge::Kind::Choose:
    return choose(W, E);
  case Edge::Kind::Test:
  case Edge::Kind::Assume:
  case Edge::Kind::Assert:
    return test(W, E);
  case Edge::Kind::Read:
    return read(W, E);
  case Edge::Kind::Write:
    return write(W, E);
  case Edge::Kind::Cas:
    return cas(W, E);
  case Edge::Kind::Acquire:
    return acquire(W, E);
  case Edge::Kind::Release:
    return release(W, E);
  case Edge::Kind::Begin:
    Out.Reached.Regions = true;
    log(W, E);
    W.Node = E.To;
    return Next::Goes;
  case Edge::Kind::End:
  case Edge::Kind::Restart:
    return endRegion(W, E);
  case Edge::Kind::StepBegin:
    log(W, E);
    W.WasInRegion = In.InRegion[R.Code][W.Node];
    W.IsInStep = true;
    W.Node = E.To;
    return Next::Goes;
  case Edge::Kind::StepEnd:
    return endStep(W, E);
  case Edge::Kind::Invoke:
  case Edge::Kind::Return:
    return operation(W, E);
  case Edge::Kind::Call:
    break;
  }
  return Next::Waits;
}

Runner::Next Runner::endRegion(Way &W, const Edge &E) {
  log(W, E);
  if (W.IsHeld && E.Is == Edge::Kind::Restart)
    Out[W.Outcome].IsViolation = false;
  if (E.Is == Edge::Kind::Restart || E.Depth == 1) {
    W.IsHeld = false;
    In.Asked.endRegion(monitor(W), Thread);
    Out[W.Outcome].EndsRegion = true;
  }
  W.Node = E.To;
  return Next::Goes;
}

Runner::Next Runner::endStep(Way &W, const Edge &E) {
  log(W, E);
  // Outside of regions the step is a transaction of its own.
  if (!W.WasInRegion)
    In.Asked.endRegion(monitor(W), Thread);
  W.IsInStep = false;
  W.Node = E.To;
  return Next::Goes;
}

Runner::Next Runner::assign(Way &W, const Edge &E, Value V) {
  uint32_t Slot = E.Target.First;
  if (!E.Target.Index.empty()) {
    const std::optional<Value> At = E.Target.Index.evaluate(locals(W));
    if (!At || *At < 0 || *At >= static_cast<Value>(E.Target.Count))
      return fail(W, Fault::Element);
    Slot += *At;
  }
  if (!Code.Locals[Slot].Of.has(V))
    return fail(W, Fault::Type);
  locals(W)[Slot] = V;
  W.Node = E.To;
  return Next::Goes;
}

Runner::Next Runner::set(Way &W, const Edge &E) {
  const std::optional<Value> V = E.What.evaluate(locals(W));
  if (!V)
    return failBefore(W, E, Fault::Arithmetic);
  const Next Then = assign(W, E, *V);
  if (Then == Next::Goes)
    return Then;
  log(W, E, 0, *V);
  return Next::Over;
}

// The way goes on with the first value, and a way of its own with each other
// one.
template <typename Values>
Runner::Next Runner::assignEach(Way &W, const Edge &E, uint32_t Object,
                                uint64_t Count, Values ValueAt) {
  if (!hasRoomFor(Count - 1))
    return giveUp(E);
  for (uint64_t I = 1; I < Count; ++I) {
    Way Other = fork(W, W.Node);
    log(Other, E, Object, ValueAt(I));
    if (assign(Other, E, ValueAt(I)) == Next::Goes)
      Ways.push_back(Other);
    else
      HasStopped = true;
  }
  log(W, E, Object, ValueAt(0));
  return assign(W, E, ValueAt(0));
}

Runner::Next Runner::choose(Way &W, const Edge &E) {
  const std::optional<Value> Low = E.What.evaluate(locals(W));
  const std::optional<Value> High = E.Second.evaluate(locals(W));
  if (!Low || !High)
    return failBefore(W, E, Fault::Arithmetic);
  if (*Low > *High) // There is nothing to choose.
    return W.IsInStep ? Next::Waits : Next::Stuck;
  return assignEach(
      W, E, 0, uint64_t(int64_t(*High) - *Low) + 1,
      [&](uint64_t I) { return static_cast<Value>(*Low + int64_t(I)); });
}

Runner::Next Runner::test(Way &W, const Edge &E) {
  const std::optional<Value> V = E.What.evaluate(locals(W));
  if (!V || (!*V && E.Is == Edge::Kind::Assert))
    return failBefore(W, E, V ? Fault::Assertion : Fault::Arithmetic);
  if (!*V)
    return W.IsAssuming || W.IsInStep ? Next::Waits : Next::Stuck;
  W.IsAssuming = false;
  W.Node = E.To;
  return Next::Goes;
}

std::optional<uint32_t> Runner::object(const Way &W, const Place &Of) {
  if (Of.Index.empty())
    return Of.First;
  const std::optional<Value> At = Of.Index.evaluate(locals(W));
  if (!At || *At < 0 || *At >= static_cast<Value>(Of.Count))
    return std::nullopt;
  return Of.First + *At;
}

// A step outside of regions is a transaction as if it was one.
Runner::Next Runner::access(Way &W, uint32_t V, bool IsWrite) {
  W.IsHeld = false;
  const bool InRegion = W.IsInStep || In.InRegion[R.Code][W.Node];
  return In.Asked.access(monitor(W), Thread, V, IsWrite, InRegion) ? violate(W)
                                                                   : Next::Goes;
}

Runner::Next Runner::read(Way &W, const Edge &E) {
  const std::optional<uint32_t> V = object(W, E.Where);
  if (!V)
    return failBefore(W, E, Fault::Element);
  if (isRegister(P.Variables[*V]) && state(W)[In.PendingOf[*V]])
    return readRegister(W, E, *V);
  const Value Found = state(W)[*V];
  log(W, E, *V, Found);
  const Next Then = access(W, *V, false);
  return Then == Next::Goes ? assign(W, E, Found) : Then;
}

// A read while a write is in progress.
Runner::Next Runner::readRegister(Way &W, const Edge &E, uint32_t V) {
  const Variable &Of = P.Variables[V];
  std::vector<Value> Possible = {state(W)[V]};
  const Value New = state(W)[In.PendingOf[V]] - 1 + Of.Of.Low;
  if (Of.Is == Storage::Regular) {
    if (New != Possible[0])
      Possible.push_back(New);
  } else {
    for (int64_t Any = Of.Of.Low; Any <= Of.Of.High; ++Any)
      if (Any != Possible[0])
        Possible.push_back(static_cast<Value>(Any));
  }
  const Next Then = access(W, V, false);
  if (Then != Next::Goes)
    return Then;
  return assignEach(W, E, V, Possible.size(),
                    [&](uint64_t I) { return Possible[I]; });
}

Runner::Next Runner::write(Way &W, const Edge &E) {
  const std::optional<uint32_t> V = object(W, E.Where);
  const std::optional<Value> New = E.What.evaluate(locals(W));
  if (!V || !New)
    return failBefore(W, E, V ? Fault::Arithmetic : Fault::Element);
  const Variable &Of = P.Variables[*V];
  Value *Pending = isRegister(Of) && In.Shared.isShared(*V)
                       ? &state(W)[In.PendingOf[*V]]
                       : nullptr;
  const bool IsSecond = Pending && *Pending;
  log(W, E, *V, *New, true, IsSecond);
  if (!Of.Of.has(*New))
    return fail(W, Fault::Type);
  if (Pending && !W.IsInStep) {
    *Pending = IsSecond ? 0 : *New - Of.Of.Low + 1;
    if (!IsSecond)
      return access(W, *V, true); // Stays where it is, for the second half.
  }
  state(W)[*V] = *New;
  const Next Then = IsSecond ? Next::Goes : access(W, *V, true);
  W.Node = E.To;
  return Then;
}

Runner::Next Runner::cas(Way &W, const Edge &E) {
  const std::optional<uint32_t> V = object(W, E.Where);
  const std::optional<Value> Old = E.What.evaluate(locals(W));
  const std::optional<Value> New = E.Second.evaluate(locals(W));
  if (!V || !Old || !New)
    return failBefore(W, E, V ? Fault::Arithmetic : Fault::Element);
  const bool IsWrite = state(W)[*V] == *Old;
  log(W, E, *V, IsWrite, IsWrite);
  if (IsWrite && !P.Variables[*V].Of.has(*New))
    return fail(W, Fault::Type);
  if (IsWrite)
    state(W)[*V] = *New;
  const bool WasViolation = Out[W.Outcome].IsViolation;
  const Next Then = access(W, *V, IsWrite);
  W.IsHeld = !IsWrite && !WasViolation && Out[W.Outcome].IsViolation;
  return Then == Next::Goes ? assign(W, E, IsWrite) : Then;
}

Runner::Next Runner::acquire(Way &W, const Edge &E) {
  const std::optional<uint32_t> L = object(W, E.Where);
  if (!L)
    return failBefore(W, E, Fault::Element);
  Value &Owner = state(W)[In.FirstLock + *L];
  if (Owner)
    return Next::Waits;
  Owner = static_cast<Value>(Thread) + 1;
  log(W, E, *L);
  W.Node = E.To;
  return Next::Goes;
}

Runner::Next Runner::release(Way &W, const Edge &E) {
  const std::optional<uint32_t> L = object(W, E.Where);
  if (!L)
    return failBefore(W, E, Fault::Element);
  Value &Owner = state(W)[In.FirstLock + *L];
  if (Owner != static_cast<Value>(Thread) + 1)
    return failBefore(W, E, Fault::NotHeld);
  log(W, E, *L);
  Owner = 0;
  W.Node = E.To;
  return Next::Goes;
}

Runner::Next Runner::operation(Way &W, const Edge &E) {
  const Register &Of = P.Registers[E.Number];
  Out.Reached.Operations |= E.Is == Edge::Kind::Invoke;
  std::optional<Value> V = 0;
  if (!E.What.empty())
    V = E.What.evaluate(locals(W));
  if (!V)
    return failBefore(W, E, Fault::Arithmetic);
  log(W, E, E.Number, *V);
  if (!E.What.empty() && !Of.Of.has(*V))
    return fail(W, Fault::Type);
  const bool IsBad = E.Is == Edge::Kind::Invoke
                         ? In.Asked.invoke(monitor(W), Thread, E, *V)
                         : In.Asked.respond(monitor(W), Thread, E, *V);
  W.Node = E.To;
  return IsBad ? violate(W) : Next::Goes;
}
