//===- FileError.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_BASE_FILEERROR_H
#define ATSAN_BASE_FILEERROR_H

#include <cstring>
#include <string>

namespace atsan {

// Says which file cannot be read, and why; an empty name is shown as ''. Error:
// an errno. The caller adds the remedy.
inline std::string cannotRead(const std::string &Name, int Error) {
  return (Name.empty() ? "''" : Name) + ": the file cannot be read (" +
         std::strerror(Error) + ")";
}

} // namespace atsan

#endif // ATSAN_BASE_FILEERROR_H
