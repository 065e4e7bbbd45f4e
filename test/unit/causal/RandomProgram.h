//===- RandomProgram.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of a small random model: two or three threads, some of them twice,
// with blocks, locks that are nested or not, loops, steps and arrays.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TEST_UNIT_CAUSAL_RANDOMPROGRAM_H
#define ATSAN_TEST_UNIT_CAUSAL_RANDOMPROGRAM_H

#include <random>
#include <string>

namespace atsan::causal::test {

/// \p Count is put behind the name of the first thread, such as "[2]" or "[*]",
/// which uses `self` if it \p MaySelf. \p MaySync: there are small sync
/// variables, whose values count.
std::string randomProgram(std::mt19937_64 &Dice, const std::string &Count,
                          bool MaySelf, bool MaySync);

} // namespace atsan::causal::test

#endif
