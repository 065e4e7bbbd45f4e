//===- Literal.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Explicit search of the coloured net of CAV'06 as it is printed: a token for
// each thread and variable, one transition for each edge, colours on tokens.
// Shares nothing with the small net but what an edge accesses. For few threads:
// it is what the other engines are compared with.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CAUSAL_LITERAL_H
#define ATSAN_CAUSAL_LITERAL_H

#include "lib/causal/Schedule.h"
#include "lib/net/Search.h"

namespace atsan::causal {

struct LiteralAnswer {
  net::Verdict What = net::Verdict::GaveUp;
  Schedule Run;    ///< A shortest one, if Coverable.
  std::string Why; ///< The reason, as net::Answer has it.
};

/// Not applicable to programs with any number of threads.
LiteralAnswer searchLiteral(const Program &P, const KeptValues &K,
                            const std::vector<bool> &IsChecked, net::Budget &B);

} // namespace atsan::causal

#endif
