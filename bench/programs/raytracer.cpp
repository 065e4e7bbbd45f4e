//===-- raytracer.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Renders 64 spheres with shadows and reflections. Each thread has its own copy
// of the scene, takes every n-th row, and adds what it drew to a checksum.
// Regions: a row, and adding to the checksum; or the thread as a whole.
//
// Known bug: the checksum is changed under the lock of the scene, of which
// every thread has its own.
//
//===----------------------------------------------------------------------===//

#include "common.h"
#include "interleave.h"

#include <cmath>
#include <memory>
#include <mutex>

namespace {

struct Vec {
  double X, Y, Z;
};

Vec operator+(Vec A, Vec B) { return {A.X + B.X, A.Y + B.Y, A.Z + B.Z}; }
Vec operator-(Vec A, Vec B) { return {A.X - B.X, A.Y - B.Y, A.Z - B.Z}; }
Vec operator*(double F, Vec A) { return {F * A.X, F * A.Y, F * A.Z}; }
double dot(Vec A, Vec B) { return A.X * B.X + A.Y * B.Y + A.Z * B.Z; }
Vec unit(Vec A) { return 1 / std::sqrt(dot(A, A)) * A; }

struct Ray {
  Vec From, Direction;
};

struct Surface {
  Vec Colour;
  double Diffuse, Specular, Shine, Reflection;
};

class Sphere {
public:
  Sphere(Vec Centre, double Radius, Surface Look)
      : Look(Look), Centre(Centre), SquaredRadius(Radius * Radius) {}

  // How far along the ray, or a negative number.
  double hit(const Ray &R) const {
    Vec To = Centre - R.From;
    double Along = dot(To, R.Direction);
    double Inside = SquaredRadius - dot(To, To) + Along * Along;
    if (Inside < 0)
      return -1;
    double Half = std::sqrt(Inside);
    return Along - Half > 1e-6 ? Along - Half : Along + Half;
  }

  Vec normal(Vec At) const { return unit(At - Centre); }

  const Surface Look;

private:
  const Vec Centre;
  const double SquaredRadius;
};

struct Light {
  Vec At;
  double Brightness;
};

class Scene {
public:
  Scene() {
    for (unsigned I = 0; I < 64; ++I) {
      unsigned X = I % 4, Y = I / 4 % 4, Z = I / 16;
      Vec Colour{0.3 + 0.2 * X, 0.3 + 0.2 * Y, 0.3 + 0.2 * Z};
      Surface Look{Colour, 0.7, 0.3, 15, 0.3};
      Vec Centre{-6 + 4.0 * X, -6 + 4.0 * Y, 4.0 * Z};
      Spheres.emplace_back(new Sphere(Centre, 1.5, Look));
    }
    Lights = {
        {{100, 100, -50}, 1}, {{-100, 100, -50}, 0.8}, {{0, -100, -80}, 0.5}};
  }

  Vec trace(const Ray &R, unsigned Depth) const {
    double Distance = 1e6;
    const Sphere *Nearest = nullptr;
    for (const auto &S : Spheres) {
      double D = S->hit(R);
      if (D > 1e-6 && D < Distance) {
        Distance = D;
        Nearest = S.get();
      }
    }
    if (!Nearest)
      return {0.1, 0.1, 0.2};
    return shade(R, R.From + Distance * R.Direction, *Nearest, Depth);
  }

  std::mutex Mutex;

private:
  bool inShadow(const Ray &ToLight, double Distance) const {
    for (const auto &S : Spheres) {
      double D = S->hit(ToLight);
      if (D > 1e-6 && D < Distance)
        return true;
    }
    return false;
  }

  Vec shade(const Ray &R, Vec At, const Sphere &S, unsigned Depth) const {
    const Surface &Look = S.Look;
    Vec Normal = S.normal(At), Colour{0, 0, 0};
    Vec Mirrored = R.Direction - 2 * dot(R.Direction, Normal) * Normal;
    for (const Light &L : Lights) {
      Vec To = L.At - At;
      double Distance = std::sqrt(dot(To, To));
      Ray ToLight{At, 1 / Distance * To};
      double Facing = dot(ToLight.Direction, Normal);
      if (Facing <= 0 || inShadow(ToLight, Distance))
        continue;
      Colour = Colour + L.Brightness * Look.Diffuse * Facing * Look.Colour;
      double Glance = dot(Mirrored, ToLight.Direction);
      if (Glance > 0) {
        double Spot = L.Brightness * Look.Specular * pow(Glance, Look.Shine);
        Colour = Colour + Vec{Spot, Spot, Spot};
      }
    }
    if (Depth < 6)
      Colour =
          Colour + Look.Reflection * trace({At, unit(Mirrored)}, Depth + 1);
    return Colour;
  }

  std::vector<std::unique_ptr<Sphere>> Spheres;
  std::vector<Light> Lights;
};

class Renderer {
public:
  Renderer(unsigned Width, unsigned Threads)
      : Width(Width), Threads(Threads), Image(Width * Width) {}

  void render(unsigned Self) {
    Scene OwnScene;
    uint64_t Sum = 0;
    for (unsigned Row = Self; Row < Width; Row += Threads)
      Sum += renderRow(OwnScene, Row);
    addToChecksum(OwnScene, Sum);
  }

  uint64_t checksum() const { return Checksum; }

private:
  static uint32_t level(double Value) {
    return std::min(255u, uint32_t(Value * 255));
  }

  uint64_t renderRow(const Scene &S, unsigned Row) {
    OperationRegion Region("render row");
    uint64_t Sum = 0;
    for (unsigned Column = 0; Column < Width; ++Column) {
      Vec Through{2.0 * Column / Width - 1, 1 - 2.0 * Row / Width, 2};
      Vec C = S.trace({{0, 0, -25}, unit(Through)}, 0);
      uint32_t Red = level(C.X), Green = level(C.Y), Blue = level(C.Z);
      Image[Row * Width + Column] = Red << 16 | Green << 8 | Blue;
      Sum += Red + Green + Blue;
    }
    return Sum;
  }

  void addToChecksum(Scene &Own, uint64_t Sum) {
    std::lock_guard<std::mutex> Lock(kFixed ? ChecksumMutex : Own.Mutex);
    OperationRegion Region("add to checksum");
    uint64_t Seen = Checksum;
    interleave::middle();
    Checksum = Seen + Sum;
    interleave::between();
  }

  const unsigned Width, Threads;
  std::vector<uint32_t> Image;
  std::mutex ChecksumMutex;
  uint64_t Checksum = 0;
};

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  unsigned Width = argument(Argc, Argv, 2, "width of the image");

  Renderer R(Width, Threads);
  runThreads(Threads, [&](unsigned Self) { R.render(Self); });
  return finish("checksum", R.checksum());
}
