//===- TextWriter.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/finding/Words.h"
#include "lib/registers/Outcome.h"
#include <algorithm>
#include <map>
#include <sstream>

using namespace atsan::registers;
using atsan::finding::counted;

namespace {

/// Operations as a table: a line for each, with a bar from its call to its
/// return.
class Table {
public:
  Table(const RegisterOutcome &R, const History &In) : R(R), In(In) {
    for (const uint32_t I : R.Why->Core) {
      const Operation &O = at(I);
      Stamps.push_back(O.Call);
      Stamps.push_back(O.Return);
      WidestProcess = std::max(WidestProcess, processName(O, In).size());
      WidestWhat = std::max(WidestWhat, describe(O, In).size());
    }
    std::sort(Stamps.begin(), Stamps.end());
    Stamps.erase(std::unique(Stamps.begin(), Stamps.end()), Stamps.end());
    HasBars = Stamps.size() <= 30;
  }

  std::string write() const {
    std::ostringstream Out;
    for (const uint32_t I : R.Why->Core) {
      const Operation &O = at(I);
      Out << "    " << padded(processName(O, In), WidestProcess) << "  "
          << padded(describe(O, In), WidestWhat) << "  ";
      if (HasBars)
        Out << padded(bar(O), 2 * Stamps.size()) << ' ';
      Out << '[' << O.Call << ", "
          << (O.isUnknown() ? std::string("...") : std::to_string(O.Return))
          << "]  line " << O.Line << '\n';
    }
    return Out.str();
  }

private:
  const Operation &at(uint32_t I) const { return R.Of->Operations[I]; }
  static std::string padded(std::string Text, size_t Width) {
    Text.resize(std::max(Width, Text.size()), ' ');
    return Text;
  }
  size_t column(Stamp S) const {
    return 2 *
           (std::lower_bound(Stamps.begin(), Stamps.end(), S) - Stamps.begin());
  }
  std::string bar(const Operation &O) const {
    std::string Out(column(O.Call), ' ');
    Out += '|';
    Out.resize(column(O.Return), '-');
    if (O.isUnknown())
      return Out + "...";
    if (O.Return != O.Call)
      Out += '|';
    return Out;
  }

  const RegisterOutcome &R;
  const History &In;
  std::vector<Stamp> Stamps;
  size_t WidestProcess = 0, WidestWhat = 0;
  bool HasBars = false;
};

} // namespace

static void writeViolation(std::ostream &Out, const RegisterOutcome &R,
                           const History &In) {
  const Operation &Bad = R.Of->Operations[R.Why->Offending];
  std::string Message = messageOf(R, In);
  Message[0] = static_cast<char>(Message[0] - 'a' + 'A');
  Out << '\n'
      << Message << ".\n  It is the operation of line " << Bad.Line
      << ", called at " << Bad.Call << ", returned at " << Bad.Return
      << ".\n  The longest linearizable prefix ends just before it returns: "
      << counted(R.Why->PrefixReturns, "operation")
      << " had returned by then.\n  These cannot be linearized among what "
         "the others wrote"
      << (R.Why->IsMinimal ? ", and no result in them can be left out:\n"
                           : " (there was no time to leave out more):\n")
      << Table(R, In).write();
}

static void writeOrder(std::ostream &Out, const RegisterOutcome &R,
                       const History &In) {
  Out << "\nA linearization"
      << (R.Of->Key.empty() ? "" : " of register '" + R.Of->Key + "'")
      << ", from " << In.Known.text(R.Of->Initial) << " on:\n";
  for (const uint32_t I : R.Decided.Order) {
    const Operation &O = R.Of->Operations[I];
    Out << "  line " << O.Line << "  " << processName(O, In) << "  "
        << describe(O, In) << '\n';
  }
}

static void writeHead(std::ostream &Out, const Outcome &O) {
  const History &In = *O.Of;
  const std::string Verdict = O.verdict();
  Out << O.File << ": "
      << (Verdict == "violation" ? "not linearizable" : Verdict) << "\n  "
      << counted(In.operations(), "operation") << " by "
      << counted(In.Processes.size(), "process", "processes") << " on "
      << counted(In.Registers.size(), "register");
  if (In.Failed)
    Out << "; " << In.Failed << " more failed";
  if (In.ReadsWithoutResult)
    Out << "; " << counted(In.ReadsWithoutResult, "read")
        << " without a result left out";
  std::map<std::string, size_t> Algorithms;
  for (const RegisterOutcome &R : O.Registers)
    ++Algorithms[R.Decided.Algorithm];
  bool IsFirst = true;
  for (const auto &[Name, Count] : Algorithms) {
    Out << (IsFirst ? "\n  Decided by " : ", ") << Name;
    IsFirst = false;
    if (Algorithms.size() > 1)
      Out << " (" << counted(Count, "register") << ")";
  }
  Out << (IsFirst ? "\n" : ".\n");
}

std::string atsan::registers::writeText(const Outcome &O) {
  std::ostringstream Out;
  writeHead(Out, O);
  for (const RegisterOutcome &R : O.Registers)
    if (R.Decided.Is == Verdict::Violation)
      writeViolation(Out, R, *O.Of);
    else if (R.Decided.Is == Verdict::Linearizable && O.WantsOrder)
      writeOrder(Out, R, *O.Of);
  return Out.str();
}
