//===- Places.h -------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How places in the code are called.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_FINDING_PLACES_H
#define ATSAN_FINDING_PLACES_H

#include "lib/finding/Finding.h"

namespace atsan::finding {

/// Shortens names of files: those below \p SourceRoot are relative to it.
class Places {
public:
  explicit Places(const std::string &SourceRoot);

  /// The name of a file: relative if it is below the root, without "." and
  /// "..".
  std::string file(const std::string &Path) const;
  bool isBelowRoot(const std::string &Path) const;
  const std::string &root() const { return Root; }

  /// A place: "file:line:column in function", or what is known of it.
  std::string place(const Frame &F) const;
  /// A place in short: "file:line", or "(module+offset)".
  std::string shortPlace(const Frame &F) const;

private:
  std::string relative(const std::string &Path) const;

  std::string Root;     ///< Absolute, without a slash at the end.
  std::string RealRoot; ///< Root without symbolic links.
};

/// Is the file a header of the C++ library?
bool isOfStandardLibrary(const std::string &File);

/// The innermost frame of the program's own code, or else the innermost one.
const Frame *userFrame(const Stack &Frames);

} // namespace atsan::finding

#endif // ATSAN_FINDING_PLACES_H
