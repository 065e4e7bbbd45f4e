//===- Runner.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/Runner.h"
#include <algorithm>

using namespace atsan::model;

void Runner::begin(const Outcomes::One &From) {
  Out.Seen.clear();
  Way W;
  W.Outcome = Out.size();
  Outcomes::One &New = Out.add();
  New.State = From.State;
  New.Log = From.Log;
  run(W);
  runAll();
}

void Runner::step(const Value *From, uint32_t Node) {
  Way W;
  W.Outcome = Out.size();
  W.Node = Node;
  Out.add().State.assign(From, From + In.Fields.size());
  const Edge &E = Code.Nodes[Node].Out[0];
  W.IsAssuming = E.IsOfAssume;
  switch (take(W, E)) {
  case Next::Goes:
    run(W);
    break;
  case Next::Waits:
  case Next::Stuck:
    Out.dropLast();
    return;
  case Next::Over:
    HasStopped = true;
    break;
  }
  runAll();
}

void Runner::runWays() {
  while (!Ways.empty()) {
    const Way W = Ways.back();
    Ways.pop_back();
    run(W);
  }
}

// Ways end in any order; those that wait leave a gap, which the last one fills.
void Runner::runAll() {
  runWays();
  // A thread that is stuck is as good as one that is not chosen any more,
  // unless it has no other way.
  if (Last && !HasStopped) {
    Gaps.erase(std::find(Gaps.begin(), Gaps.end(), *Last));
    Value *S = Out[*Last].State.data();
    S[R.Stop] = 0;
    for (const Machine::DeadLocal &L : In.Dead[R.Code][0])
      S[R.Stop + 1 + L.Slot] = L.Initial;
  }
  std::sort(Gaps.rbegin(), Gaps.rend());
  for (const size_t Gap : Gaps) {
    if (Gap + 1 != Out.size())
      std::swap(Out[Gap], Out[Out.size() - 1]);
    Out.dropLast();
  }
}

void Runner::run(Way W) {
  for (;;) {
    if (!W.IsInStep && (arrive(W) || (isOwn(W) && follow(W))))
      return;
    Next Then = Next::Stuck;
    const Node &N = Code.Nodes[W.Node];
    if (!In.BeginsLoop[R.Code][W.Node] || !isRepeated(W))
      Then = N.Out.size() == 1 ? take(W, N.Out[0]) : branch(W, N);
    if (Then == Next::Goes)
      continue;
    if (Then == Next::Stuck && Out[W.Outcome].IsViolation)
      Then = Next::Over;
    if (Then == Next::Stuck)
      Last = W.Outcome;
    if (Then == Next::Over)
      HasStopped = true;
    else
      Gaps.push_back(W.Outcome);
    return;
  }
}

bool Runner::arrive(Way &W) {
  const int Stop = In.StopOf[R.Code][W.Node];
  if (Stop < 0)
    return false;
  Value *S = state(W);
  if (Code.Nodes[W.Node].Out.empty())
    In.Asked.endThread(monitor(W), Thread);
  for (const Machine::DeadLocal &L : In.Dead[R.Code][Stop])
    S[R.Stop + 1 + L.Slot] = L.Initial;
  S[R.Stop] = Stop;
  HasStopped = true;
  return true;
}

// Whether a region has ended matters, also where the monitor's state does not
// show it: other states share the continuation.
bool Runner::isRepeated(const Way &W) {
  const Outcomes::One &O = Out[W.Outcome];
  const auto Tag = static_cast<Value>(2 * W.Node + O.EndsRegion);
  return !Out.Seen.add(O.State.data(), O.State.size(), Tag).second;
}

bool Runner::isOwn(const Way &W) const {
  return LooksUp && In.IsOwn[R.Code][W.Node] && !W.IsAssuming &&
         !Out.WantsLogs && !Out[W.Outcome].IsViolation;
}

void Runner::find(const Way &W, Continuation &To) const {
  Outcomes Found;
  Runner Finder(In, Thread, Found);
  Finder.LooksUp = false;
  Found.add().State = Out[W.Outcome].State;
  Way Begin;
  Begin.Node = W.Node;
  Finder.run(Begin);
  Finder.runWays();
  std::vector<size_t> &None = Finder.Gaps;
  std::sort(None.begin(), None.end());
  for (size_t I = 0; I < Found.size(); ++I) {
    if (std::binary_search(None.begin(), None.end(), I))
      continue;
    const Value *S = Found[I].State.data() + R.Stop;
    WayEnd E;
    E.Stop = S[0];
    E.Locals.assign(S + 1, S + 1 + Code.Locals.size());
    E.EndsRegion = Found[I].EndsRegion;
    E.Error = Found[I].Error;
    To.Ends.push_back(std::move(E));
  }
  if (Finder.Last)
    To.Stuck = Found[*Finder.Last].EndsRegion;
  Out.Reached.add(Found.Reached);
  if (Found.TooMany)
    Out.TooMany = Found.TooMany;
  To.IsFound = true;
}

// Goes all ways from here on at once. Returns false if they are too many.
bool Runner::follow(const Way &W) {
  Continuation *C =
      Out.Known.from(R.Code, W.Node, locals(W), Code.Locals.size());
  if (!C)
    return false;
  if (!C->IsFound) {
    find(W, *C);
    Out.Known.count(*C);
  }
  const auto End = [&](size_t Outcome, bool EndsRegion) {
    if (EndsRegion)
      In.Asked.endRegion(Out[Outcome].State.data() + In.FirstMonitor, Thread);
  };
  for (size_t I = 0; I < C->Ends.size(); ++I) {
    const WayEnd &E = C->Ends[I];
    // The last one takes the place of the way.
    const bool IsLast = I + 1 == C->Ends.size() && !C->Stuck;
    const size_t To = IsLast ? W.Outcome : Out.size();
    if (!IsLast) {
      Out.add();
      Out[To].State = Out[W.Outcome].State;
    }
    End(To, E.EndsRegion);
    Value *S = Out[To].State.data() + R.Stop;
    std::copy(E.Locals.begin(), E.Locals.end(), S + 1);
    Out[To].Error = E.Error;
    HasStopped = true;
    if (E.Error != Fault::None)
      continue;
    S[0] = E.Stop;
    if (Code.Nodes[In.StopNodes[R.Code][E.Stop]].Out.empty())
      In.Asked.endThread(Out[To].State.data() + In.FirstMonitor, Thread);
  }
  if (C->Stuck) {
    End(W.Outcome, *C->Stuck);
    Last = W.Outcome;
    Gaps.push_back(W.Outcome);
  }
  return true;
}

Runner::Way Runner::fork(const Way &W, uint32_t To) {
  Way Other = W;
  Other.Node = To;
  Other.Outcome = Out.size();
  Out.add();
  Out[Other.Outcome].State = Out[W.Outcome].State;
  Out[Other.Outcome].Log = Out[W.Outcome].Log;
  Out[Other.Outcome].IsViolation = Out[W.Outcome].IsViolation;
  Out[Other.Outcome].EndsRegion = Out[W.Outcome].EndsRegion;
  return Other;
}

Runner::Next Runner::branch(Way &W, const Node &N) {
  if (N.Out[0].Is == Edge::Kind::Test) {
    const std::optional<Value> V = N.Out[0].What.evaluate(locals(W));
    if (!V)
      return failBefore(W, N.Out[0], Fault::Arithmetic);
    W.Node = N.Out[*V ? 0 : 1].To;
    return Next::Goes;
  }
  if (!hasRoomFor(N.Out.size() - 1))
    return giveUp(N.Out[0]);
  for (size_t I = 1; I < N.Out.size(); ++I)
    Ways.push_back(fork(W, N.Out[I].To));
  W.Node = N.Out[0].To;
  return Next::Goes;
}
