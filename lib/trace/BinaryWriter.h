//===- BinaryWriter.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes an event stream as a binary trace (docs/trace-format.md), for
// conversion, filters and tests. (A traced program writes its own.)
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_BINARYWRITER_H
#define ATSAN_TRACE_BINARYWRITER_H

#include "lib/event/Event.h"
#include <memory>
#include <string>

namespace atsan::trace {

/// Not thread-safe.
class BinaryWriter {
public:
  virtual ~BinaryWriter() = default;
  /// Writes events. False: they cannot be written; error() says why, without
  /// the name.
  virtual bool write(EventSpan Events) = 0;
  /// Must be called once after the last event. False: the trace cannot be
  /// written; error() says why.
  virtual bool finish() = 0;
  virtual const std::string &error() const = 0;
};

/// Creates a trace in a file. Names of what is in the events are copied into it
/// when first used. The file is written in place, and no trace before finish().
/// Null, and why in Error, if it cannot be made.
std::unique_ptr<BinaryWriter>
createBinary(const std::string &Path, const Names &Known, std::string &Error);

} // namespace atsan::trace

#endif // ATSAN_TRACE_BINARYWRITER_H
