//===- History.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/History.h"
#include <algorithm>

using namespace atsan::registers;

static bool isBefore(const Operation &A, const Operation &B) {
  return A.Call < B.Call;
}

/// Sorts by insertion as long as that takes few steps. Returns whether it is
/// done.
static bool sortNearlySorted(std::vector<Operation> &Operations) {
  uint64_t StepsLeft = uint64_t(16) * Operations.size();
  for (size_t I = 1; I < Operations.size(); ++I) {
    if (!isBefore(Operations[I], Operations[I - 1]))
      continue;
    const Operation Moved = Operations[I];
    size_t To = I;
    for (; To && isBefore(Moved, Operations[To - 1]) && StepsLeft; --StepsLeft)
      Operations[To] = Operations[To - 1], --To;
    Operations[To] = Moved;
    if (!StepsLeft)
      return false;
  }
  return true;
}

void atsan::registers::sortByCall(std::vector<Operation> &Operations) {
  if (sortNearlySorted(Operations))
    return;
  std::sort(Operations.begin(), Operations.end(),
            [](const Operation &A, const Operation &B) {
              return A.Call != B.Call ? A.Call < B.Call : A.Line < B.Line;
            });
}

std::string atsan::registers::describe(const Operation &O, const History &In) {
  const Values &Known = In.Known;
  const std::string Argument = Known.text(O.Argument);
  const std::string Result =
      O.isUnknown() ? " -> unknown" : " -> " + Known.text(O.Expected);
  switch (O.What) {
  case Kind::Read:
  case Kind::ContradictoryCas:
    if (O.Expected == 0)
      return "read -> " + Argument;
    return "cas " + Known.text(In.Refused[O.Expected - 1].Expected) + ' ' +
           Known.text(In.Refused[O.Expected - 1].New) + " -> false " + Argument;
  case Kind::RefusedCas:
    return "cas " + Argument + ' ' + Known.text(O.Expected) + " -> false";
  case Kind::Write:
    return "write " + Argument + (O.isUnknown() ? " -> unknown" : "");
  case Kind::Cas:
    return "cas " + Known.text(O.Expected) + ' ' + Argument +
           (O.isUnknown() ? " -> unknown" : " -> true");
  case Kind::Swap:
    return "swap " + Argument + Result;
  case Kind::FetchAdd:
    return "add " +
           std::to_string(static_cast<int64_t>(
               uint64_t(Known.number(O.Argument).value_or(0)) -
               uint64_t(Known.number(O.Expected).value_or(0)))) +
           Result;
  case Kind::Add:
    return "add " + Argument + (O.isUnknown() ? " -> unknown" : "");
  case Kind::Append:
    return "append " + Argument + (O.isUnknown() ? " -> unknown" : "");
  case Kind::Look:
    break;
  }
  return "";
}
