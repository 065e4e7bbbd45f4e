//===- Violations.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Violations.h"

using namespace atsan::check;

void Violations::add(const NumberedEvent &Begin, const NumberedEvent &Closing,
                     std::vector<Relation> Cycle) {
  if (!wantsMore())
    return;
  const uint32_t Place = Closing.What.Location;
  if (!Sites
           .emplace(Begin.What.Address, Begin.What.Location, Place,
                    Place ? 0 : Closing.What.Address)
           .second)
    return;
  Finding F;
  F.What = Notion::Violation;
  F.Kind = "atomicity-violation";
  F.Message = "No order of whole regions, one after the other, explains this "
              "run";
  F.Closing = Closing.Number;
  F.Blamed.push_back({Closing.What.Thread, Begin});
  F.Relations = std::move(Cycle);
  Found.push_back(std::move(F));
}

std::string atsan::check::conflictGraphNotion(const Options &O) {
  return std::string("is the observed run conflict-serializable (violation if "
                     "not)?\nOrder comes from conflicting accesses, program "
                     "order, thread start and join") +
         (O.LockEdges ? ", and locks" : "") + ".";
}
