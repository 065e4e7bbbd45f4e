//===- Reader.h -------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads histories. docs/registers.md has the formats.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_READER_H
#define ATSAN_REGISTERS_READER_H

#include "lib/registers/History.h"
#include <functional>
#include <optional>
#include <stdexcept>

namespace atsan::registers {

/// A history that is none. The message has the line, what is wrong, and what to
/// do: "FILE:LINE: ...".
struct FormatError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Stores up to so many bytes, and returns how many; 0 at the end.
using ByteSource = std::function<size_t(char *, size_t)>;

enum class FailedCas : uint8_t {
  ByFormat, ///< It is what the format's own tools say.
  Refused,  ///< It found another value than it expected.
  Ignored,  ///< It did not happen, and says nothing.
};

struct ReaderOptions {
  std::string Format = "auto"; ///< See formats().
  /// The value of each register at the begin; none: that of the format.
  std::optional<std::string> Initial;
  /// EDN: values are pairs of a key and a value.
  bool Keyed = false;
  FailedCas Failed = FailedCas::ByFormat;
  /// How long the history is, if that is known: about what memory it needs.
  uint64_t Bytes = 0;
  /// CSV: the column of each role, "process=client,call=start,...".
  std::string Columns;
};

/// The names of formats: auto, text, edn, porcupine, csv.
const std::vector<std::string> &formats();

/// Reads a history to its end. \p Name stands for it in messages. Operations
/// are in the order of their calls. Throws FormatError.
History readHistory(const ByteSource &From, const std::string &Name,
                    const ReaderOptions &O);

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_READER_H
