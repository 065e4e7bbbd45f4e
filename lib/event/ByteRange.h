//===- ByteRange.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stretches of the address space.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_EVENT_BYTERANGE_H
#define ATSAN_EVENT_BYTERANGE_H

#include "lib/event/Event.h"
#include <optional>

namespace atsan::trace {

/// Bytes from Begin to Last: a range may end where the address space does.
struct ByteRange {
  uint64_t Begin;
  uint64_t Last;

  /// The bytes that an event names, cut where the address space ends. Not for 0
  /// bytes.
  static ByteRange of(const Event &E) {
    return {E.Address, E.Size - 1 > UINT64_MAX - E.Address
                           ? UINT64_MAX
                           : E.Address + (E.Size - 1)};
  }
  /// Reads "0x10", or "0x10-0x1f" (the last is part of it), in hexadecimal or
  /// decimal.
  static std::optional<ByteRange> parse(const std::string &Text);
};

} // namespace atsan::trace

#endif // ATSAN_EVENT_BYTERANGE_H
