//===-- atsan_text_file.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/options/atsan_text_file.h"

#include <string.h>

#include "runtime/options/atsan_flags.h"
#include "sanitizer_common/sanitizer_file.h"

namespace __atsan {

TextFile::TextFile(const char *option, const char *path) {
  error_t error = 0;
  if (ReadFileToVector(path, &data_, kDefaultFileMaxSize, &error)) {
    data_.push_back('\0');
    return;
  }
  Report("ERROR: %s: cannot read '%s', which run-time option %s names: %s\n",
         SanitizerToolName, path, option, strerror(error));
  ExitForBadSetup();
}

void BadLine(const char *place, u32 line, const char *text, uptr length,
             const char *problem) {
  Report("ERROR: %s: %s:%u: '%.*s' %s\n", SanitizerToolName, place, line,
         static_cast<int>(Min<uptr>(length, 200)), text, problem);
  ExitForBadSetup();
}

}  // namespace __atsan
