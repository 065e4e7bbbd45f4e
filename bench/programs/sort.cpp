//===-- sort.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread sorts numbers of its own, in blocks, with all that the library
// has for that. Regions: one block.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <algorithm>

namespace {

using Numbers = std::vector<uint64_t>;

uint64_t sortBlock(Random &Rng, Numbers &All, size_t First, size_t Last) {
  OperationRegion Region("sort block");
  auto Begin = All.begin() + First, End = All.begin() + Last;
  for (auto I = Begin; I != End; ++I)
    *I = Rng.next();
  std::sort(Begin, End);
  uint64_t Sum = *Begin;
  std::reverse(Begin, Begin + (Last - First) / 2);
  std::stable_sort(Begin, End, [](uint64_t A, uint64_t B) {
    return (A & 0xffff) < (B & 0xffff);
  });
  Sum = Sum * 31 + *Begin;
  std::nth_element(Begin, Begin + (Last - First) / 2, End);
  Sum = Sum * 31 + Begin[(Last - First) / 2];
  std::make_heap(Begin, End);
  std::sort_heap(Begin, End);
  return Sum * 31 + Begin[(Last - First) / 3];
}

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  size_t Size = argument(Argc, Argv, 2, "numbers");
  size_t Block = argument(Argc, Argv, 3, "block");

  std::vector<uint64_t> Results(Threads);
  runThreads(Threads, [&](unsigned Self) {
    Random Rng(Self + 1);
    Numbers All(Size);
    uint64_t Sum = 0;
    for (size_t I = 0; I < Size; I += Block)
      Sum = Sum * 31 + sortBlock(Rng, All, I, std::min(Size, I + Block));
    Results[Self] = Sum;
  });
  return finish("sorted", Results);
}
