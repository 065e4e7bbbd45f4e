//===-- kmeans.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Points of a few whole numbers each are put into groups around means, round by
// round, until no point changes its group. Threads have a part of the points
// each and add up in sums of their own; all read the means, and the first
// thread computes new ones behind a barrier. Regions: one point.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <climits>
#include <memory>

namespace {

constexpr unsigned kBound = 1000; // Coordinates are below.

using Vector = std::unique_ptr<int[]>;

struct Sums {
  Sums(unsigned Groups, unsigned Dimensions)
      : Of(Groups * Dimensions), Count(Groups) {}
  std::vector<long> Of;
  std::vector<long> Count;
  bool HasChanged = false;
};

class Clustering {
public:
  Clustering(unsigned Threads, size_t Size, unsigned Groups,
             unsigned Dimensions)
      : Dimensions(Dimensions), Group(Size), Finish(Threads) {
    Random Rng(1);
    for (size_t I = 0; I < Size + Groups; ++I) {
      Vector V(new int[Dimensions]);
      for (unsigned D = 0; D < Dimensions; ++D)
        V[D] = Rng.below(kBound);
      (I < Size ? Points : Means).push_back(std::move(V));
    }
    for (unsigned T = 0; T < Threads; ++T)
      Parts.push_back(std::make_unique<Sums>(Groups, Dimensions));
  }

  void run(unsigned Self) {
    size_t First = Points.size() * Self / Parts.size();
    size_t Last = Points.size() * (Self + 1) / Parts.size();
    do {
      for (size_t I = First; I < Last; ++I)
        assign(I, *Parts[Self]);
      Finish.wait();
      if (Self == 0)
        computeMeans();
      Finish.wait();
    } while (HasChanged);
  }

  uint64_t result() const {
    uint64_t Sum = Rounds;
    for (unsigned G : Group)
      Sum = Sum * 31 + G;
    return Sum;
  }

private:
  long distance(const int *A, const int *B) const {
    long Sum = 0;
    for (unsigned D = 0; D < Dimensions; ++D)
      Sum += long(A[D] - B[D]) * (A[D] - B[D]);
    return Sum;
  }

  void assign(size_t I, Sums &Part) {
    OperationRegion Region("assign");
    long Least = LONG_MAX;
    unsigned Nearest = 0;
    for (unsigned G = 0; G < Means.size(); ++G) {
      long Distance = distance(Points[I].get(), Means[G].get());
      if (Distance < Least) {
        Least = Distance;
        Nearest = G;
      }
    }
    if (Group[I] != Nearest) {
      Group[I] = Nearest;
      Part.HasChanged = true;
    }
    ++Part.Count[Nearest];
    for (unsigned D = 0; D < Dimensions; ++D)
      Part.Of[Nearest * Dimensions + D] += Points[I][D];
  }

  void computeMeans() {
    HasChanged = false;
    ++Rounds;
    for (auto &Part : Parts)
      HasChanged |= Part->HasChanged;
    for (unsigned G = 0; G < Means.size(); ++G) {
      long Count = 0;
      for (auto &Part : Parts)
        Count += Part->Count[G];
      for (unsigned D = 0; D < Dimensions && Count; ++D) {
        long Sum = 0;
        for (auto &Part : Parts)
          Sum += Part->Of[G * Dimensions + D];
        Means[G][D] = Sum / Count;
      }
    }
    for (auto &Part : Parts)
      *Part = Sums(Means.size(), Dimensions);
  }

  const unsigned Dimensions;
  std::vector<Vector> Points, Means;
  std::vector<unsigned> Group;
  std::vector<std::unique_ptr<Sums>> Parts;
  Barrier Finish;
  bool HasChanged = true;
  unsigned Rounds = 0;
};

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  size_t Points = argument(Argc, Argv, 2, "points");
  unsigned Groups = argument(Argc, Argv, 3, "groups");

  unsigned Dimensions = argument(Argc, Argv, 4, "dimensions");

  Clustering C(Threads, Points, Groups, Dimensions);
  runThreads(Threads, [&](unsigned Self) { C.run(Self); });
  return finish("groups", C.result());
}
