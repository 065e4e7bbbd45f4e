//===-- moldyn.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Molecular dynamics: particles in a periodic box attract and repel each other
// (Lennard-Jones). Each thread moves its own copy of all particles, computes
// the forces of every n-th one on the later ones into arrays of its own, and
// meets the others at barriers; the first thread adds the arrays up. Regions:
// moving all particles, the forces of one particle, adding up; or everything
// between two barriers.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <cmath>

namespace {

constexpr double kDensity = 0.83134, kTemperature = 0.722, kTimeStep = 0.0032;

struct Particle {
  double Position[3], Velocity[3], Force[3];
};

// The sums of one thread.
struct Sums {
  double Potential = 0;
  uint64_t Interactions = 0;
  std::vector<double> Forces; // Three for each particle.
};

class Simulation {
public:
  // 4 particles in each of Cells * Cells * Cells cubes.
  Simulation(unsigned Cells, unsigned Threads)
      : Count(4 * Cells * Cells * Cells), Threads(Threads),
        Side(std::cbrt(Count / kDensity)), CutOff(std::min(2.5, Side / 2)),
        Own(Threads), Step(Threads), Kinetic(Threads) {
    Start.reserve(Count);
    Random Rng(11);
    double A = Side / Cells;
    const double Corners[4][3] = {
        {0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    for (unsigned Cell = 0; Cell < Count / 4; ++Cell)
      for (const auto &Corner : Corners) {
        double At[3] = {double(Cell % Cells), double(Cell / Cells % Cells),
                        double(Cell / Cells / Cells)};
        Particle P = {};
        for (unsigned D = 0; D < 3; ++D) {
          P.Position[D] = A * (At[D] + Corner[D]);
          P.Velocity[D] = std::sqrt(12 * kTemperature) * (Rng.fraction() - 0.5);
        }
        Start.push_back(P);
      }
    for (Sums &S : Own)
      S.Forces.resize(3 * Count);
    All.Forces.resize(3 * Count);
  }

  // The part of thread number Self.
  void run(unsigned Self, uint64_t Steps) {
    std::vector<Particle> Particles = Start;
    for (uint64_t I = 0; I < Steps; ++I) {
      move(Particles);
      Step.wait();
      for (size_t P = Self; P < Count; P += Threads)
        addForces(Particles, P, Own[Self]);
      Step.wait();
      if (Self == 0)
        addUp();
      Step.wait();
      Kinetic[Self] = accelerate(Particles);
    }
  }

  // Every thread has computed the same kinetic energy.
  bool consistent() const {
    for (double K : Kinetic)
      if (K != Kinetic[0])
        return false;
    return true;
  }

  uint64_t result() const {
    return bits(Kinetic[0] + All.Potential) * 31 + All.Interactions;
  }

private:
  void move(std::vector<Particle> &Particles) const {
    OperationRegion Region("move");
    for (Particle &P : Particles)
      for (unsigned D = 0; D < 3; ++D) {
        P.Velocity[D] += kTimeStep / 2 * P.Force[D];
        P.Position[D] += kTimeStep * P.Velocity[D];
        if (P.Position[D] < 0)
          P.Position[D] += Side;
        if (P.Position[D] >= Side)
          P.Position[D] -= Side;
      }
  }

  double distance(double From, double To) const {
    double D = From - To;
    return D < -Side / 2 ? D + Side : D > Side / 2 ? D - Side : D;
  }

  void addForces(const std::vector<Particle> &Particles, size_t I, Sums &S) {
    OperationRegion Region("forces");
    const Particle &P = Particles[I];
    double Total[3] = {};
    for (size_t J = I + 1; J < Count; ++J) {
      double D[3], Squared = 0;
      for (unsigned K = 0; K < 3; ++K) {
        D[K] = distance(P.Position[K], Particles[J].Position[K]);
        Squared += D[K] * D[K];
      }
      if (Squared > CutOff * CutOff)
        continue;
      double R2 = 1 / Squared, R6 = R2 * R2 * R2;
      S.Potential += 4 * (R6 * R6 - R6);
      double Strength = 24 * (2 * R6 * R6 - R6) * R2;
      for (unsigned K = 0; K < 3; ++K) {
        Total[K] += Strength * D[K];
        S.Forces[3 * J + K] -= Strength * D[K];
      }
      ++S.Interactions;
    }
    for (unsigned K = 0; K < 3; ++K)
      S.Forces[3 * I + K] += Total[K];
  }

  // The sums of all threads become one, and theirs zero.
  void addUp() {
    OperationRegion Region("add up");
    std::fill(All.Forces.begin(), All.Forces.end(), 0);
    All.Potential = 0;
    for (Sums &S : Own) {
      for (size_t I = 0; I < All.Forces.size(); ++I) {
        All.Forces[I] += S.Forces[I];
        S.Forces[I] = 0;
      }
      All.Potential += S.Potential;
      All.Interactions += S.Interactions;
      S.Potential = 0;
      S.Interactions = 0;
    }
  }

  double accelerate(std::vector<Particle> &Particles) const {
    OperationRegion Region("accelerate");
    double Energy = 0;
    for (size_t I = 0; I < Count; ++I)
      for (unsigned D = 0; D < 3; ++D) {
        Particle &P = Particles[I];
        P.Force[D] = All.Forces[3 * I + D];
        P.Velocity[D] += kTimeStep / 2 * P.Force[D];
        Energy += P.Velocity[D] * P.Velocity[D] / 2;
      }
    return Energy;
  }

  const size_t Count;
  const unsigned Threads;
  const double Side, CutOff;
  std::vector<Particle> Start;
  std::vector<Sums> Own;
  Sums All;
  Barrier Step;
  std::vector<double> Kinetic;
};

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  unsigned Cells = argument(Argc, Argv, 2, "cells per side");
  uint64_t Steps = argument(Argc, Argv, 3, "steps");

  Simulation S(Cells, Threads);
  runThreads(Threads, [&, Steps](unsigned Self) { S.run(Self, Steps); });
  if (!S.consistent()) {
    fprintf(stderr, "%s: the threads computed different energies\n", Argv[0]);
    return 1;
  }
  return finish("energy", S.result());
}
