//===- RandomNet.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small random nets of several shapes.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TEST_UNIT_NET_RANDOMNET_H
#define ATSAN_TEST_UNIT_NET_RANDOMNET_H

#include "lib/net/Net.h"
#include <random>

namespace atsan::net::test {

/// Any arcs: mostly unbounded.
Net randomNet(std::mt19937_64 &Dice);
/// Automata that move together: safe, as the unfolder wants it.
Net randomSafeNet(std::mt19937_64 &Dice);

} // namespace atsan::net::test

#endif
