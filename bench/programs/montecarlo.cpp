//===-- montecarlo.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The price of a share, by simulation: each task makes a random path of prices
// with the drift and volatility of a given history, and estimates its return.
// Threads take the tasks of their part, and put each result into a common
// vector under its mutex. Regions: one path, and adding a result.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

namespace {

constexpr double kDaysPerYear = 365.24;

// Normally distributed numbers, two from each pair of uniform ones.
class Gaussian {
public:
  explicit Gaussian(uint64_t Seed) : Rng(Seed) {}

  double next() {
    if (HaveSpare) {
      HaveSpare = false;
      return Spare;
    }
    double X, Y, Squared;
    do {
      X = 2 * Rng.fraction() - 1;
      Y = 2 * Rng.fraction() - 1;
      Squared = X * X + Y * Y;
    } while (Squared >= 1 || Squared == 0);
    double Factor = std::sqrt(-2 * std::log(Squared) / Squared);
    Spare = Y * Factor;
    HaveSpare = true;
    return X * Factor;
  }

private:
  Random Rng;
  double Spare = 0;
  bool HaveSpare = false;
};

// Prices, one a day.
using Path = std::vector<double>;

struct Estimate {
  double Return, Volatility;
};

Estimate estimate(const Path &Prices) {
  std::vector<double> Changes(Prices.size() - 1);
  double Mean = 0;
  for (size_t Day = 0; Day < Changes.size(); ++Day)
    Mean += Changes[Day] = std::log(Prices[Day + 1] / Prices[Day]);
  Mean /= double(Changes.size());
  double Variance = 0;
  for (double Change : Changes)
    Variance += (Change - Mean) * (Change - Mean);
  Variance /= double(Changes.size() - 1);
  return {(Mean + Variance / 2) * kDaysPerYear,
          std::sqrt(Variance * kDaysPerYear)};
}

Path simulate(uint64_t Seed, size_t Days, double First, Estimate Of) {
  Gaussian Shocks(Seed);
  // As the original does: all fluctuations first, then the prices.
  std::vector<double> Fluctuations(Days);
  double Drift = (Of.Return - Of.Volatility * Of.Volatility / 2) / kDaysPerYear;
  double Scale = Of.Volatility / std::sqrt(kDaysPerYear);
  for (double &F : Fluctuations)
    F = Drift + Scale * Shocks.next();
  Path Prices(Days);
  for (size_t Day = 0; Day < Days; ++Day)
    Prices[Day] = First = First * std::exp(Fluctuations[Day]);
  return Prices;
}

struct Result {
  uint64_t Task;
  Estimate Of;
  double LastPrice;
};

class Simulator {
public:
  Simulator(uint64_t Tasks, size_t Days) : Tasks(Tasks), Days(Days) {
    Results.reserve(Tasks);
    Path History = simulate(0, 2 * Days, 100, {0.05, 0.2});
    Known = estimate(History);
    First = History.back();
  }

  void run(unsigned Self, unsigned Threads) {
    uint64_t Last = Tasks * (Self + 1) / Threads;
    for (uint64_t Task = Tasks * Self / Threads; Task < Last; ++Task)
      add(price(Task));
  }

  // Threads finish in any order: the sum is that of one thread.
  double meanReturn() {
    std::sort(Results.begin(), Results.end(),
              [](const auto &A, const auto &B) { return A->Task < B->Task; });
    double Sum = 0;
    for (const auto &R : Results)
      Sum += R->Of.Return;
    return Sum / double(Results.size());
  }

  size_t results() const { return Results.size(); }

private:
  std::unique_ptr<Result> price(uint64_t Task) const {
    OperationRegion Region("price");
    Path Prices = simulate(Task + 1, Days, First, Known);
    return std::unique_ptr<Result>(
        new Result{Task, estimate(Prices), Prices.back()});
  }

  void add(std::unique_ptr<Result> R) {
    std::lock_guard<std::mutex> Lock(Mutex);
    OperationRegion Region("add result");
    Results.push_back(std::move(R));
  }

  const uint64_t Tasks;
  const size_t Days;
  Estimate Known;
  double First;
  std::mutex Mutex;
  std::vector<std::unique_ptr<Result>> Results;
};

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  uint64_t Tasks = argument(Argc, Argv, 2, "paths");
  size_t Days = argument(Argc, Argv, 3, "days") + 2;

  Simulator S(Tasks, Days);
  runThreads(Threads, [&, Threads](unsigned Self) { S.run(Self, Threads); });
  double Mean = S.meanReturn();
  return finish("mean return", bits(Mean) * 31 + S.results());
}
