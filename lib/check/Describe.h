//===- Describe.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From what an algorithm found, by numbers of events, to a finding in words.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_DESCRIBE_H
#define ATSAN_CHECK_DESCRIBE_H

#include "lib/check/Words.h"
#include "lib/finding/Finding.h"

namespace atsan::check {

/// \p W has to speak of \p F. \p Trace is the name of the file.
finding::Finding describe(const Finding &F, const Words &W,
                          const std::string &Trace);

} // namespace atsan::check

#endif // ATSAN_CHECK_DESCRIBE_H
