//===-- atsan_output_file.h -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files that run-time options name and that a run writes. What is there already
// and was not written by such a run is somebody's, and stays.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_OUTPUT_FILE_H
#define ATSAN_OUTPUT_FILE_H

#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

using namespace __sanitizer;

// Appends the path, made absolute: a program may change its directory. False,
// with errno, if the directory is not known.
bool AppendAbsolute(InternalScopedString *out, const char *path);

// Writes a text to a file, whole or not at all; false: it could not be written.
bool WriteWhole(const char *path, const char *text, uptr size);

// Takes no memory from the heap: a run that follows a schedule has the
// addresses of the one that wrote it.
class OutputFile {
 public:
  // The file that ATSAN_OPTIONS=`option`=`path` names. Ends the program if it
  // cannot be written, or is there and does not begin with `begin`.
  void Init(const char *option, const char *path, const char *begin);

  // Empties the file, and opens it to be written piece by piece.
  fd_t Open() const;
  // Replaces the file. Says so, and returns false, if that cannot be done.
  bool Write(const char *text, uptr size) const;

 private:
  [[noreturn]] void Fail(const char *why) const;

  const char *option_;
  const char *given_;
  char path_[kMaxPathLength];  // given_, made absolute.
};

}  // namespace __atsan

#endif  // ATSAN_OUTPUT_FILE_H
