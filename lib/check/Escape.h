//===- Escape.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic escape analysis of a trace (TSE'06 section 3), by the runtime's code
// (lib/reduction/atsan_escape.h). An access to memory that no other thread
// can reach yet commutes with everything, so every checker may drop it. A trace
// without births, such as STD text, has no such memory.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_ESCAPE_H
#define ATSAN_CHECK_ESCAPE_H

#include "lib/check/Analysis.h"
#include "lib/reduction/atsan_escape.h"

namespace atsan::check {

/// Feed it every event of a trace in order. Not thread-safe.
class EscapeFilter {
public:
  /// Is E an access to memory that has not escaped?
  bool drops(const trace::Event &E);
  const __atsan::EscapeMap &map() const { return Map; }

private:
  __atsan::EscapeMap Map;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_ESCAPE_H
