//===- Deadlines.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Until when an operation of unknown outcome matters: what it leaves must be
// needed by some operation that has not returned by then.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_DEADLINES_H
#define ATSAN_REGISTERS_DEADLINES_H

#include "lib/registers/FlatMap.h"
#include "lib/registers/History.h"

namespace atsan::registers {

/// If a linearization has an unknown operation whose value nobody needs, it is
/// one without it, too: only a write that needs nothing can come next.
class Deadlines {
public:
  explicit Deadlines(const Register &R);

  /// The last return of what may need the effect of \p O, which is unknown; -1
  /// if nobody does.
  Stamp of(const Operation &O) const;

private:
  FlatMap<Stamp> LastUse; ///< By value, plus 1.
  Stamp LastOfAny = 0;    ///< The last use that any value may do for, plus 1.
};

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_DEADLINES_H
