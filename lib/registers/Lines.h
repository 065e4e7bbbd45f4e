//===- Lines.h --------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines of a text, without holding more of it than a block.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_LINES_H
#define ATSAN_REGISTERS_LINES_H

#include "lib/registers/Reader.h"
#include <string_view>

namespace atsan::registers {

class Lines {
public:
  explicit Lines(const ByteSource &From) : From(From), Buffer(BlockSize) {}

  /// The next line without its break, valid until the next call; false at the
  /// end. Throws FormatError where a line is too long, or the last is cut.
  bool next(std::string_view &Line);
  /// Calls \p Do with each line that is left.
  template <class Function> void forEach(Function Do) {
    std::string_view Line;
    while (next(Line))
      Do(Line);
  }
  /// Begins again at the line that next() gave last; only before the second.
  void unread() { IsUnread = true; }
  uint64_t number() const { return Number; }
  /// Is the line that next() gave last without control characters but tabs?
  bool isText() const;

private:
  static constexpr size_t BlockSize = 1 << 18;
  static constexpr size_t LongestLine = 1 << 26;
  bool fill();

  const ByteSource &From;
  std::vector<char> Buffer;
  size_t Begin = 0, End = 0; ///< What is there and not given out yet.
  uint64_t Number = 0;
  bool IsUnread = false;
  std::string_view Last;
};

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_LINES_H
