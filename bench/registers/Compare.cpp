//===- Compare.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: compare-registers SECONDS
//
// Times SOAR, CLMT and the algorithm that `atsan registers` takes on the same
// histories of a register with one writer and two readers. Prints a line for
// each algorithm and number of operations: whether the history is atomic, the
// algorithm, operations, seconds. An algorithm that takes longer than SECONDS
// is not asked for more operations.
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Decide.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace atsan::registers;

namespace {

/// A history of \p Count operations. One that is not atomic ends with a read of
/// a value that was overwritten, as in figure 2 of the paper.
Register history(size_t Count, bool IsAtomic) {
  std::mt19937_64 Random(Count);
  Register R;
  R.Initial = 0;
  Value Held = 0;
  Stamp Now[3] = {1, 1, 1}, Moment = 0;
  while (R.Operations.size() + !IsAtomic < Count) {
    const unsigned P = R.Operations.empty() ? 0 : Random() % 3;
    Operation O;
    O.Process = P;
    O.What = P == 0 ? Kind::Write : Kind::Read;
    // Effects are in the order of this loop: at Moment, within the operation.
    Moment += 10;
    O.Call = std::max(Now[P], Moment - Stamp(Random() % 25));
    O.Return = Moment + 1 + Stamp(Random() % 25);
    if (O.Call > Moment)
      continue;
    Now[P] = O.Return + 1;
    if (P == 0)
      Held = Value(R.Operations.size() + 1);
    O.Argument = Held;
    R.Operations.push_back(O);
  }
  if (!IsAtomic) {
    Operation Stale;
    Stale.What = Kind::Read;
    Stale.Process = 3;
    Stale.Argument = R.Initial;
    for (const Operation &O : R.Operations)
      Stale.Call = std::max(Stale.Call, O.Return + 1);
    Stale.Return = Stale.Call + 1;
    R.Operations.push_back(Stale);
  }
  sortByCall(R.Operations);
  return R;
}

/// Seconds for one decision, the least of some; negative: it gave up.
double measure(const char *Algorithm, const Register &R, double Most,
               bool IsAtomic) {
  Request Wanted;
  Wanted.Given.MaxSeconds = Most;
  Values Known;
  double Best = -1;
  for (int Round = 0; Round != 5; ++Round) {
    const auto Begin = std::chrono::steady_clock::now();
    const Decision D = decide(Algorithm, R, Known, Wanted);
    const std::chrono::duration<double> Spent =
        std::chrono::steady_clock::now() - Begin;
    if (D.Is == Verdict::Unknown)
      return -1;
    if ((D.Is == Verdict::Linearizable) != IsAtomic) {
      std::fprintf(stderr, "%s is wrong on %zu operations\n", Algorithm,
                   R.Operations.size());
      std::exit(1);
    }
    if (Best < 0 || Spent.count() < Best)
      Best = Spent.count();
    if (Spent.count() > Most / 5)
      break;
  }
  return Best;
}

} // namespace

int main(int Argc, char **Argv) {
  const double Most = Argc > 1 ? std::atof(Argv[1]) : 1;
  const size_t Counts[] = {4,    5,    6,     7,      8,      9,   10,
                           11,   12,   14,    16,     30,     100, 300,
                           1000, 3000, 10000, 100000, 1000000};
  for (const bool IsAtomic : {true, false})
    for (const char *Algorithm : {"clmt", "soar", "auto"})
      for (const size_t Count : Counts) {
        const Register R = history(Count, IsAtomic);
        Values Known;
        if (!whyNot(Algorithm, R, Known).empty())
          break;
        const double Seconds = measure(Algorithm, R, Most, IsAtomic);
        if (Seconds >= 0)
          std::printf("%s %s %zu %.9f\n", IsAtomic ? "atomic" : "non-atomic",
                      Algorithm, Count, Seconds);
        std::fflush(stdout);
        if (Seconds < 0 || Seconds > Most)
          break;
      }
}
