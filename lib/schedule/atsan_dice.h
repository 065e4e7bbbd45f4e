//===-- atsan_dice.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random numbers that are the same on every machine (SplitMix64, OOPSLA 2014).
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_DICE_H
#define ATSAN_DICE_H

#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __atsan {

using namespace __sanitizer;

// A one-to-one map of the numbers in which each bit depends on all.
inline u64 MixBits(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

class Dice {
 public:
  // Seeds that are close to each other shall not begin alike.
  explicit Dice(u64 seed) : state_(MixBits(seed + 0x632be59bd9b4e019ull)) {}

  u64 Next() { return MixBits(state_ += 0x9e3779b97f4a7c15ull); }
  // Returns a number below `n`, which is not 0, each equally often.
  u64 Below(u64 n) {
    const u64 too_few = -n % n;  // Numbers below it would favour some.
    u64 x = Next();
    while (x < too_few)
      x = Next();
    return x % n;
  }

 private:
  u64 state_;
};

}  // namespace __atsan

#endif  // ATSAN_DICE_H
