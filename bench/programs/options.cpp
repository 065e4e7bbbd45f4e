//===-- options.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prices options on one share by a tree of its possible prices: each option
// fills an array of the thread and folds it, from the last day to the first.
// Threads take options from a common counter. Regions: one option, taking one.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace {

struct Option {
  double Strike, Volatility, Years;
  double Price;
};

class Pricer {
public:
  Pricer(size_t Size, unsigned Days) : Days(Days), Options(Size) {
    Random Rng(1);
    for (Option &O : Options)
      O = {80 + 40 * Rng.fraction(), 0.1 + Rng.fraction() / 2,
           0.25 + Rng.fraction(), 0};
  }

  void run() {
    std::vector<double> Values(Days + 1);
    for (size_t I; (I = take()) < Options.size();)
      price(Options[I], Values);
  }

  uint64_t result() const {
    uint64_t Sum = 0;
    for (const Option &O : Options)
      Sum = Sum * 31 + uint64_t(std::llround(O.Price * 1e6));
    return Sum;
  }

private:
  size_t take() {
    std::lock_guard<std::mutex> Lock(Mutex);
    OperationRegion Region("take");
    return Next++;
  }

  void price(Option &O, std::vector<double> &Values) const {
    OperationRegion Region("price");
    constexpr double kShare = 100, kRate = 0.03;
    double Day = O.Years / Days;
    double Up = std::exp(O.Volatility * std::sqrt(Day));
    double Growth = std::exp(kRate * Day);
    double Chance = (Growth - 1 / Up) / (Up - 1 / Up);
    double Price = kShare * std::pow(Up, -double(Days));
    for (unsigned I = 0; I <= Days; ++I, Price *= Up * Up)
      Values[I] = std::max(0.0, O.Strike - Price);
    for (unsigned D = Days; D > 0; --D) {
      Price = kShare * std::pow(Up, 1 - double(D));
      for (unsigned I = 0; I < D; ++I, Price *= Up * Up)
        Values[I] = std::max(
            O.Strike - Price,
            (Chance * Values[I + 1] + (1 - Chance) * Values[I]) / Growth);
    }
    O.Price = Values[0];
  }

  const unsigned Days;
  std::vector<Option> Options;
  std::mutex Mutex;
  size_t Next = 0;
};

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  size_t Options = argument(Argc, Argv, 2, "options");
  unsigned Days = argument(Argc, Argv, 3, "days");

  Pricer P(Options, Days);
  runThreads(Threads, [&](unsigned) { P.run(); });
  return finish("prices", P.result());
}
