//===- Input.h ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes of a trace or history, from front to back: of a file, of standard
// input, or of a text in memory. Knows nothing of formats, but that a text may
// begin with a byte order mark (UTF-8), which is passed over.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_INPUT_H
#define ATSAN_TRACE_INPUT_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace atsan::trace {

/// Not thread-safe.
class Input {
public:
  /// Opens a file; "-" is standard input. Null, and one line in Error with name
  /// and remedy, if it cannot be read.
  static std::unique_ptr<Input> open(const std::string &Path,
                                     std::string &Error);
  /// A text in memory; Name stands for it in messages.
  static std::unique_ptr<Input> ofText(std::string Text, std::string Name);
  ~Input();
  Input(const Input &) = delete;
  Input &operator=(const Input &) = delete;

  /// The first bytes, up to 4096; fewer only if there are no more. They are
  /// still to be read. Only before the first read().
  std::string_view start();
  /// Reads the next bytes, up to Size. 0 at the end, and on failure.
  size_t read(char *To, size_t Size);
  /// Why the last read() failed: one line; empty if it did not.
  const std::string &error() const { return Error; }

  /// The name in messages: the path, or "<standard input>".
  const std::string &name() const { return Name; }
  uint64_t bytesRead() const { return Read; }
  uint64_t bytesTotal() const { return Total; } ///< 0: not known.

private:
  Input(int File, std::string Name) : File(File), Name(std::move(Name)) {}
  size_t readFile(char *To, size_t Size);
  void skipMark();

  int File; ///< -1: all bytes are in Ahead.
  std::string Name, Error;
  std::string Ahead; ///< Bytes that read() has not given out yet.
  size_t Taken = 0;  ///< How many bytes of Ahead were given out.
  uint64_t Read = 0, Total = 0;
};

} // namespace atsan::trace

#endif // ATSAN_TRACE_INPUT_H
