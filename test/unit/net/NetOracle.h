//===- NetOracle.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Coverability without any of the code or the ideas of lib/net's engines that
// make them quick: dense markings, plain lists, nothing pruned.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TEST_UNIT_NET_NETORACLE_H
#define ATSAN_TEST_UNIT_NET_NETORACLE_H

#include "lib/net/Net.h"
#include <optional>

namespace atsan::net::test {

/// Decides by a backward fixed point on dense vectors. nullopt if it gets
/// larger than \p MaxBasis.
std::optional<bool> isCoverable(const Net &N, size_t MaxBasis);

/// Looks forward through markings with at most \p MaxTokens in a place; places
/// of OrMore begin with their tokens and up to two more. True is a proof.
bool isCoverableForward(const Net &N, unsigned MaxTokens, size_t MaxStates);

} // namespace atsan::net::test

#endif
