//===-- lufact.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LU factorization by Gaussian elimination with partial pivoting: threads share
// the columns right of the pivot and meet at barriers. Every thread looks for
// the pivot itself, the first one scales its column. Regions: the update of one
// column, or everything between two barriers.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <cmath>

namespace {

using Column = std::vector<double>;

class System {
public:
  System(size_t Size, unsigned Threads)
      : Size(Size), Threads(Threads), Columns(Size, Column(Size)), Pivots(Size),
        Step(Threads) {
    Random Rng(1325);
    for (Column &C : Columns)
      for (double &Value : C)
        Value = 4 * Rng.fraction() - 2;
  }

  // The sums of the rows: the solution for them is 1, 1, 1...
  Column rowSums() const {
    Column Sums(Size);
    for (const Column &C : Columns)
      for (size_t Row = 0; Row < Size; ++Row)
        Sums[Row] += C[Row];
    return Sums;
  }

  // The part of thread number Self.
  void factor(unsigned Self) {
    for (size_t K = 0; K + 1 < Size; ++K) {
      size_t Pivot = findPivot(K);
      Step.wait();
      if (Self == 0)
        scalePivotColumn(K, Pivot);
      Step.wait();
      size_t Left = Size - K - 1;
      size_t First = K + 1 + Left * Self / Threads;
      size_t Last = K + 1 + Left * (Self + 1) / Threads;
      for (size_t J = First; J < Last; ++J)
        eliminate(K, Pivot, Columns[J]);
      Step.wait();
    }
  }

  void solve(Column &B) const {
    for (size_t K = 0; K + 1 < Size; ++K) {
      std::swap(B[K], B[Pivots[K]]);
      for (size_t Row = K + 1; Row < Size; ++Row)
        B[Row] += B[K] * Columns[K][Row];
    }
    for (size_t K = Size; K-- > 0;) {
      B[K] /= Columns[K][K];
      for (size_t Row = 0; Row < K; ++Row)
        B[Row] -= B[K] * Columns[K][Row];
    }
  }

private:
  size_t findPivot(size_t K) const {
    const Column &C = Columns[K];
    size_t Pivot = K;
    for (size_t Row = K + 1; Row < Size; ++Row)
      if (std::fabs(C[Row]) > std::fabs(C[Pivot]))
        Pivot = Row;
    return Pivot;
  }

  void scalePivotColumn(size_t K, size_t Pivot) {
    OperationRegion Region("scale pivot column");
    Column &C = Columns[K];
    Pivots[K] = Pivot;
    std::swap(C[K], C[Pivot]);
    double Factor = -1 / C[K];
    for (size_t Row = K + 1; Row < Size; ++Row)
      C[Row] *= Factor;
  }

  void eliminate(size_t K, size_t Pivot, Column &C) {
    OperationRegion Region("eliminate");
    std::swap(C[K], C[Pivot]);
    const double *From = Columns[K].data();
    double *To = C.data(), Factor = To[K];
    for (size_t Row = K + 1; Row < Size; ++Row)
      To[Row] += Factor * From[Row];
  }

  const size_t Size;
  const unsigned Threads;
  std::vector<Column> Columns;
  std::vector<size_t> Pivots;
  Barrier Step;
};

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  size_t Size = argument(Argc, Argv, 2, "rows and columns");

  System S(Size, Threads);
  Column X = S.rowSums();
  runThreads(Threads, [&](unsigned Self) { S.factor(Self); });
  S.solve(X);

  double Error = 0;
  uint64_t Sum = 0;
  for (double Value : X) {
    Error = std::max(Error, std::fabs(Value - 1));
    Sum = Sum * 31 + bits(Value);
  }
  if (Error > 1e-6) {
    fprintf(stderr, "%s: the solution is off by %g\n", Argv[0], Error);
    return 1;
  }
  return finish("solution", Sum);
}
