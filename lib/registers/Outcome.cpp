//===- Outcome.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Outcome.h"
#include <algorithm>
#include <stdexcept>

using namespace atsan::registers;

/// Moments are enough to explain nearly everything; more would look like an
/// algorithm that does not end.
static constexpr double MaxSecondsToExplain = 20;

size_t Outcome::count(Verdict V) const {
  return std::count_if(
      Registers.begin(), Registers.end(),
      [&](const RegisterOutcome &R) { return R.Decided.Is == V; });
}

const char *Outcome::verdict() const {
  if (count(Verdict::Violation))
    return "violation";
  return count(Verdict::Unknown) || !Of->operations() ? "undecided"
                                                      : "linearizable";
}

/// The algorithms of papers say no more than yes or no: another one finds what
/// is wrong, and must agree.
static Decision withOffending(Decision D, const Register &R, Values &Known,
                              const Request &Wanted) {
  const char *Name = D.Algorithm;
  D = decide(R, Known, Wanted);
  if (D.Is == Verdict::Linearizable)
    throw std::logic_error(std::string(Name) + " and " + D.Algorithm +
                           " disagree on a register: please report this, with "
                           "the history");
  D.Algorithm = Name;
  return D;
}

Outcome atsan::registers::decideAll(History &Of, const std::string &File,
                                    const std::string &Algorithm,
                                    const Request &Wanted) {
  Outcome Out;
  Out.File = File;
  Out.Of = &Of;
  Out.WantsOrder = Wanted.WantsOrder;
  const bool IsOfPaper = Algorithm == "soar" || Algorithm == "clmt";
  for (const Register &R : Of.Registers) {
    RegisterOutcome One;
    One.Of = &R;
    One.Decided = decide(Algorithm, R, Of.Known, Wanted);
    if (IsOfPaper && One.Decided.Is == Verdict::Violation)
      One.Decided = withOffending(One.Decided, R, Of.Known, Wanted);
    if (IsOfPaper && One.Decided.Is == Verdict::Linearizable &&
        Wanted.WantsOrder)
      One.Decided.Order = decide(R, Of.Known, Wanted).Order;
    if (One.Decided.Is == Verdict::Violation)
      One.Why = explain(R, Of.Known, One.Decided, MaxSecondsToExplain);
    Out.Registers.push_back(std::move(One));
  }
  return Out;
}

std::string atsan::registers::processName(const Operation &O,
                                          const History &In) {
  const std::string &Name = In.Processes.text(O.Process);
  if (Name.empty())
    return "an unnamed process";
  const bool IsNumber = Name.find_first_not_of("0123456789") == Name.npos;
  return IsNumber ? "process " + Name : Name;
}

std::string atsan::registers::messageOf(const RegisterOutcome &R,
                                        const History &In) {
  const Operation &Bad = R.Of->Operations[R.Why->Offending];
  std::string Out = (R.Of->Key.empty() ? std::string("the register")
                                       : "register '" + R.Of->Key + "'") +
                    " is not linearizable: '" + describe(Bad, In) + "' by " +
                    processName(Bad, In) +
                    " fits nowhere between its call and its return";
  if (R.Why->Possible.empty() || !Bad.dependsOnValue())
    return Out;
  Out += ", when the register can have held";
  for (size_t I = 0; I != R.Why->Possible.size(); ++I)
    Out += (I ? ", " : " ") + In.Known.text(R.Why->Possible[I]);
  if (R.Why->HasMore)
    Out += ", ...";
  return Out;
}

std::vector<uint32_t> atsan::registers::around(const RegisterOutcome &R) {
  constexpr size_t Most = 40;
  const std::vector<Operation> &All = R.Of->Operations;
  const Operation &Bad = All[R.Why->Offending];
  std::vector<uint32_t> Out = R.Why->Core;
  const auto Add = [&](uint32_t I) {
    if (Out.size() < Most && std::find(Out.begin(), Out.end(), I) == Out.end())
      Out.push_back(I);
  };
  // What is nearest before the return comes first.
  const uint32_t End = static_cast<uint32_t>(
      std::upper_bound(All.begin(), All.end(), Bad.Return,
                       [](Stamp S, const Operation &O) { return S < O.Call; }) -
      All.begin());
  for (uint32_t I = End, Looked = 0; I-- && Looked != 4 * Most; ++Looked)
    if (All[I].Return >= Bad.Call)
      Add(I);
  std::sort(Out.begin(), Out.end());
  return Out;
}
