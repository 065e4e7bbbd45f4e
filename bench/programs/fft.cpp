//===-- fft.cpp -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Fourier transform of a square image: of all rows, then, behind a barrier,
// of all columns, each copied out and back. Its loops are short at first, and
// with strides. Regions: one row or column.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <cmath>
#include <complex>

namespace {

using Number = std::complex<double>;

class Image {
public:
  Image(unsigned Threads, unsigned Log)
      : Log(Log), Size(size_t(1) << Log), Pixels(Size * Size),
        Factors(Size / 2), Threads(Threads), Half(Threads) {
    Random Rng(1);
    for (Number &P : Pixels)
      P = Rng.fraction();
    for (size_t I = 0; I < Size / 2; ++I)
      Factors[I] = std::polar(1.0, -2 * M_PI * double(I) / double(Size));
  }

  void run(unsigned Self) {
    size_t First = Size * Self / Threads, Last = Size * (Self + 1) / Threads;
    for (size_t Row = First; Row < Last; ++Row) {
      OperationRegion Region("row");
      transform(&Pixels[Row * Size]);
    }
    Half.wait();
    std::vector<Number> Column(Size);
    for (size_t X = First; X < Last; ++X) {
      OperationRegion Region("column");
      for (size_t Y = 0; Y < Size; ++Y)
        Column[Y] = Pixels[Y * Size + X];
      transform(Column.data());
      for (size_t Y = 0; Y < Size; ++Y)
        Pixels[Y * Size + X] = Column[Y];
    }
  }

  uint64_t result() const {
    uint64_t Sum = 0;
    for (const Number &P : Pixels)
      Sum = Sum * 31 + uint64_t(std::llround(std::abs(P) * 1000));
    return Sum;
  }

private:
  void transform(Number *Data) const {
    for (size_t I = 1, J = 0; I < Size; ++I) {
      size_t Bit = Size >> 1;
      for (; J & Bit; Bit >>= 1)
        J ^= Bit;
      J ^= Bit;
      if (I < J)
        std::swap(Data[I], Data[J]);
    }
    for (unsigned L = 1; L <= Log; ++L) {
      size_t Length = size_t(1) << L, Step = Size >> L;
      for (size_t Begin = 0; Begin < Size; Begin += Length)
        for (size_t I = 0; I < Length / 2; ++I) {
          const Number &F = Factors[I * Step];
          Number &A = Data[Begin + I], &B = Data[Begin + I + Length / 2];
          Number Turned(B.real() * F.real() - B.imag() * F.imag(),
                        B.real() * F.imag() + B.imag() * F.real());
          B = A - Turned;
          A += Turned;
        }
    }
  }

  const unsigned Log;
  const size_t Size;
  std::vector<Number> Pixels, Factors;
  const unsigned Threads;
  Barrier Half;
};

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  unsigned Log = argument(Argc, Argv, 2, "width as a power of two");

  Image I(Threads, Log);
  runThreads(Threads, [&](unsigned Self) { I.run(Self); });
  return finish("spectrum", I.result());
}
