//===-- radix.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorts numbers by their digits, the lowest first. In each round the threads
// count the digits of their parts, the first one computes where each thread's
// numbers go, and the threads move them there. Barriers divide the steps.
// Regions: one number.
//
//===----------------------------------------------------------------------===//

#include "common.h"

namespace {

constexpr unsigned kBits = 8, kDigits = 1 << kBits, kRounds = 4;

class RadixSort {
public:
  RadixSort(unsigned Threads, size_t Size)
      : From(Size), To(Size), Places(Threads), Step(Threads) {
    Random Rng(1);
    for (uint32_t &N : From)
      N = uint32_t(Rng.next());
  }

  void run(unsigned Self) {
    size_t First = From.size() * Self / Places.size();
    size_t Last = From.size() * (Self + 1) / Places.size();
    std::vector<size_t> &Mine = Places[Self];
    for (unsigned Round = 0; Round < kRounds; ++Round) {
      unsigned Shift = Round * kBits;
      Mine.assign(kDigits, 0);
      for (size_t I = First; I < Last; ++I) {
        OperationRegion Region("count");
        ++Mine[From[I] >> Shift & (kDigits - 1)];
      }
      Step.wait();
      if (Self == 0)
        computePlaces();
      Step.wait();
      for (size_t I = First; I < Last; ++I) {
        OperationRegion Region("move");
        To[Mine[From[I] >> Shift & (kDigits - 1)]++] = From[I];
      }
      Step.wait();
      if (Self == 0)
        From.swap(To);
      Step.wait();
    }
  }

  uint64_t result() const {
    uint64_t Sum = 0;
    for (uint32_t N : From)
      Sum = Sum * 31 + N;
    return Sum;
  }

private:
  void computePlaces() {
    size_t Place = 0;
    for (unsigned Digit = 0; Digit < kDigits; ++Digit)
      for (auto &Count : Places) {
        size_t Next = Place + Count[Digit];
        Count[Digit] = Place;
        Place = Next;
      }
  }

  std::vector<uint32_t> From, To;
  std::vector<std::vector<size_t>> Places;
  Barrier Step;
};

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  size_t Size = argument(Argc, Argv, 2, "numbers");

  RadixSort S(Threads, Size);
  runThreads(Threads, [&](unsigned Self) { S.run(Self); });
  return finish("sorted", S.result());
}
