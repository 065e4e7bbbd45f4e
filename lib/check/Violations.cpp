//===- Violations.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Violations.h"
#include <utility>

using namespace atsan::check;

void Violations::add(const NumberedEvent &Begin, const NumberedEvent &Closing,
                     std::vector<Relation> Cycle) {
  Violation V = {Begin, Closing, std::move(Cycle)};
  if (Closing.What.IsFailedExchange)
    Held.insert_or_assign(Closing.What.Thread, std::move(V));
  else
    report(std::move(V));
}

void Violations::pass(const trace::Event &E, Step S) {
  const bool GoesOn = trace::isAccess(E.Kind) && E.IsAtomic;
  const bool Ends = S == Step::Unary || S == Step::Restart || S == Step::End ||
                    E.Kind == trace::EventKind::End;
  if (!GoesOn && !Ends)
    return;
  auto Its = Held.extract(E.Thread);
  if (!Its.empty() && S != Step::Restart)
    report(std::move(Its.mapped()));
}

void Violations::finish() {
  for (auto &[Thread, V] : std::exchange(Held, {}))
    report(std::move(V));
}

void Violations::report(Violation V) {
  if (!wantsMore())
    return;
  const trace::Event &Begin = V.Begin.What, &Closing = V.Closing.What;
  if (!Sites.add(Begin, Closing.Location, Closing.Address))
    return;
  Finding F;
  F.What = Notion::Violation;
  F.Kind = "atomicity-violation";
  F.Message = "No order of whole regions, one after the other, explains this "
              "run";
  F.Closing = V.Closing.Number;
  F.Blamed.push_back({Closing.Thread, V.Begin});
  F.Relations = std::move(V.Cycle);
  Found.push_back(std::move(F));
}

Relation atsan::check::relation(const char *Why, uint64_t First,
                                uint32_t FirstThread, uint64_t Later,
                                uint32_t LaterThread) {
  Relation R;
  R.Why = Why;
  R.First.Number = First;
  R.First.What.Thread = FirstThread;
  R.First.What.Kind = trace::EventKind::End;
  // The core gives a start's own place to both ends.
  R.Later.Number = Why == reason::ThreadStart ? 0 : Later;
  R.Later.What.Thread = LaterThread;
  R.Later.What.Kind = trace::EventKind::Start;
  return R;
}

std::string atsan::check::conflictGraphNotion(const Options &O) {
  return std::string("is the observed run conflict-serializable (violation if "
                     "not)?\nOrder comes from conflicting accesses, program "
                     "order, thread start and join") +
         (O.LockEdges ? ", and locks" : "") + ".";
}
