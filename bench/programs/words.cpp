//===-- words.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread makes up words, counts them in a hash table, and sorts them by
// how many there are of each: the library's strings, hash tables and trees.
// Regions: one word.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <map>
#include <string>
#include <unordered_map>

namespace {

std::string makeWord(Random &Rng, uint64_t Variety) {
  static const char *const kSyllables[] = {"ba", "de", "fi", "go",
                                           "ku", "la", "me", "nost"};
  std::string Word;
  for (uint64_t N = Rng.below(Variety) + 1; N; N /= 8)
    Word += kSyllables[N % 8];
  return Word;
}

uint64_t countWords(uint64_t Seed, uint64_t Words, uint64_t Variety) {
  Random Rng(Seed);
  std::unordered_map<std::string, unsigned> Counts;
  for (uint64_t I = 0; I < Words; ++I) {
    OperationRegion Region("count word");
    ++Counts[makeWord(Rng, Variety)];
  }
  std::map<std::pair<unsigned, std::string>, size_t> Sorted;
  for (const auto &[Word, Count] : Counts) {
    OperationRegion Region("sort word");
    Sorted[{Count, Word}] = Word.find("st");
  }
  uint64_t Sum = 0;
  for (const auto &[Key, Place] : Sorted)
    Sum = Sum * 31 + Key.first + Key.second.size() + Place;
  return Sum;
}

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  uint64_t Words = argument(Argc, Argv, 2, "words");
  uint64_t Variety = argument(Argc, Argv, 3, "variety");

  std::vector<uint64_t> Results(Threads);
  runThreads(Threads, [&](unsigned Self) {
    Results[Self] = countWords(Self + 1, Words, Variety);
  });
  return finish("words", Results);
}
