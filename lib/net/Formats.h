//===- Formats.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nets in the files of other tools: `.spec` of mist, PNML (place/transition
// nets), and `.ll_net` of PEP. The readers throw NetError; the first line that
// is wrong ends the reading.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_NET_FORMATS_H
#define ATSAN_NET_FORMATS_H

#include "lib/net/Net.h"

namespace atsan::net {

/// Reads what mist reads, as far as it is a Petri net: guards `x >= n`, effects
/// `x' = x + n`, `init` with `=` and `>=`, targets with `>=`. Transfers, resets
/// and tests for zero are refused. \p File is for messages.
Net readSpec(const std::string &Text, const std::string &File);
std::string writeSpec(const Net &N);

/// Reads the place/transition nets of ISO/IEC 15909-2, on any number of pages.
Net readPnml(const std::string &Text, const std::string &File);
std::string writePnml(const Net &N);

/// Reads PEP's low-level nets. The tokens `M`, and weights `w` of arcs, count;
/// where things are drawn does not.
Net readLlNet(const std::string &Text, const std::string &File);
std::string writeLlNet(const Net &N);

/// Reads by the ending of \p File.
Net readByName(const std::string &Text, const std::string &File);
/// Writes by the ending of \p File. Throws NetError if it is not one of the
/// three, or if the format cannot say what the net has.
std::string writeByName(const Net &N, const std::string &File);
/// Throws NetError if writeByName() does not know the ending.
void checkEnding(const std::string &File);

/// Adds a target such as "p1>=1, p2" to \p N. Throws NetError.
void addTarget(Net &N, const std::string &Text);

} // namespace atsan::net

#endif
