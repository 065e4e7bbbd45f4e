//===-- atsan_text_file.h ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files that run-time options name. One that cannot be used ends the program
// with one message: a check that silently leaves out what it was told is none.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_TEXT_FILE_H
#define ATSAN_TEXT_FILE_H

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

using namespace __sanitizer;

// Windows editors begin a text with one.
inline const char *SkipByteOrderMark(const char *text) {
  return internal_strncmp(text, "\xef\xbb\xbf", 3) ? text : text + 3;
}

// The whole file that ATSAN_OPTIONS=`option`=`path` names, in memory.
class TextFile {
 public:
  TextFile(const char *option, const char *path);

  // A zero byte stands at the end.
  const char *begin() const { return SkipByteOrderMark(data_.data()); }
  const char *end() const { return data_.data() + data_.size() - 1; }

 private:
  InternalMmapVector<char> data_;
};

// Says "place:line: 'text' problem" and ends the program.
[[noreturn]] void BadLine(const char *place, u32 line, const char *text,
                          uptr length, const char *problem);

}  // namespace __atsan

#endif  // ATSAN_TEXT_FILE_H
