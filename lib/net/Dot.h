//===- Dot.h ----------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pictures of nets and of unfoldings, for graphviz.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_NET_DOT_H
#define ATSAN_NET_DOT_H

#include "lib/net/Unfolding.h"

namespace atsan::net {

/// A label: printable, in quotes.
std::string quoted(const std::string &Text);

/// Places are circles with their tokens, transitions boxes. The transitions of
/// \p Shown, if there is one, are red with the numbers of their steps.
std::string dotOfNet(const Net &N, const Run *Shown);

/// Conditions are circles, events boxes, cut-offs dashed; the events that the
/// target needs are red.
std::string dotOfPrefix(const Net &N, const Prefix &P);

} // namespace atsan::net

#endif
