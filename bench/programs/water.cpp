//===-- water.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Molecules of three atoms attract each other, if near: for each pair the
// forces are added to both under a lock for each molecule. Each thread has some
// of the pairs; barriers divide the steps. Regions: moving a molecule, adding
// the forces on one, the energy of a thread's pairs.
//
// With a thread always inside a region (-DREGIONS=2) that is not serializable:
// others add to the same molecules in between. The twin without that violation
// adds in molecules of its own, with as many locks, and sums up.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <cmath>
#include <memory>
#include <mutex>

namespace {

constexpr bool kOwnForces = REGIONS == 2 && kFixed;
constexpr unsigned kAtoms = 3;
constexpr double kSide = 10, kNear = 4;

struct Place {
  double X[3];
};

// In whole numbers, so that the order in which forces are added does not
// matter.
struct Force {
  std::mutex Lock;
  int64_t On[kAtoms][3] = {};
};

struct Molecule {
  Place At[kAtoms];
  Place Speed;
};

class Water {
public:
  Water(unsigned Threads, size_t Size, unsigned Steps)
      : Steps(Steps), Molecules(Size), Energy(Threads), Step(Threads) {
    Random Rng(1);
    for (Molecule &M : Molecules) {
      Place Center;
      for (unsigned D = 0; D < 3; ++D) {
        Center.X[D] = Rng.fraction() * kSide;
        M.Speed.X[D] = Rng.fraction() - 0.5;
      }
      for (Place &P : M.At)
        for (unsigned D = 0; D < 3; ++D)
          P.X[D] = Center.X[D] + Rng.fraction() * 0.1;
    }
    for (unsigned T = 0; T < (kOwnForces ? Threads : 1); ++T)
      Forces.emplace_back(new Force[Size]);
  }

  void run(unsigned Self) {
    Force *Mine = Forces[kOwnForces ? Self : 0].get();
    for (unsigned S = 0; S < Steps; ++S) {
      attract(Self, Mine);
      Step.wait();
      forPart(Self, [&](size_t I) { move(I); });
      Step.wait();
    }
  }

  uint64_t result() const {
    uint64_t Sum = 0;
    for (const Molecule &M : Molecules)
      for (const Place &P : M.At)
        Sum = Sum * 31 + bits(P.X[0]);
    // The threads' energies, in an order of their own.
    int64_t All = 0;
    for (int64_t E : Energy)
      All += E;
    return Sum + All;
  }

private:
  static int64_t fixed(double Value) { return std::llround(Value * 0x1p30); }

  template <typename F> void forPart(unsigned Self, F Body) {
    size_t Size = Molecules.size(), Threads = Energy.size();
    for (size_t I = Size * Self / Threads; I < Size * (Self + 1) / Threads; ++I)
      Body(I);
  }

  void attract(unsigned Self, Force *Mine) {
    int64_t Sum = 0;
    size_t Size = Molecules.size();
    // Each pair once: the half of the others that comes next.
    forPart(Self, [&](size_t I) {
      for (size_t Next = 1; Next <= Size / 2; ++Next)
        Sum += pair(I, (I + Next) % Size, Mine);
    });
    OperationRegion Region("energy");
    Energy[Self] += Sum;
  }

  int64_t pair(size_t I, size_t J, Force *Mine) {
    const Molecule &A = Molecules[I], &B = Molecules[J];
    double Distance = 0;
    for (unsigned D = 0; D < 3; ++D)
      Distance += std::abs(A.At[0].X[D] - B.At[0].X[D]);
    if (Distance > kNear)
      return 0;
    int64_t On[kAtoms][3], Sum = 0;
    for (unsigned K = 0; K < kAtoms; ++K) {
      double Squared = 0.1;
      for (unsigned D = 0; D < 3; ++D) {
        double X = A.At[K].X[D] - B.At[K].X[D];
        Squared += X * X;
      }
      for (unsigned D = 0; D < 3; ++D)
        On[K][D] = fixed((B.At[K].X[D] - A.At[K].X[D]) / Squared);
      Sum += fixed(1 / Squared);
    }
    add(Mine[I], On, 1);
    add(Mine[J], On, -1);
    return Sum;
  }

  void add(Force &To, const int64_t On[kAtoms][3], int Sign) {
    std::lock_guard<std::mutex> Lock(To.Lock);
    OperationRegion Region("add force");
    for (unsigned K = 0; K < kAtoms; ++K)
      for (unsigned D = 0; D < 3; ++D)
        To.On[K][D] += Sign * On[K][D];
  }

  void move(size_t I) {
    OperationRegion Region("move");
    Molecule &M = Molecules[I];
    for (unsigned K = 0; K < kAtoms; ++K)
      for (unsigned D = 0; D < 3; ++D) {
        int64_t Sum = 0;
        for (auto &F : Forces) {
          Sum += F[I].On[K][D];
          F[I].On[K][D] = 0;
        }
        M.Speed.X[D] += double(Sum) * 0x1p-30 * 1e-7;
      }
    for (Place &P : M.At)
      for (unsigned D = 0; D < 3; ++D)
        P.X[D] += M.Speed.X[D] * 1e-4;
  }

  const unsigned Steps;
  std::vector<Molecule> Molecules;
  std::vector<std::unique_ptr<Force[]>> Forces;
  std::vector<int64_t> Energy;
  Barrier Step;
};

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  size_t Size = argument(Argc, Argv, 2, "molecules");
  unsigned Steps = argument(Argc, Argv, 3, "steps");

  Water W(Threads, Size, Steps);
  runThreads(Threads, [&](unsigned Self) { W.run(Self); });
  return finish("water", W.result());
}
