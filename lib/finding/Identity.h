//===- Identity.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fingerprints of findings that a tool made.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_FINDING_IDENTITY_H
#define ATSAN_FINDING_IDENTITY_H

#include "lib/finding/Finding.h"

namespace atsan::finding {

/// FNV-1a over strings, each with its final zero byte, as in the fingerprints
/// that programs make (runtime/report/atsan_report_identity.cpp).
class Identity {
public:
  void add(const std::string &Text);
  /// Function and file, but no line, which any edit shifts.
  void addCode(const Stack &Frames);
  /// The fingerprint, behind a letter for the tool.
  std::string result(char Tool) const;

private:
  uint64_t Value = 0xcbf29ce484222325ull;
};

/// A line of a text as a place.
Frame lineOf(const std::string &File, uint64_t Line);

} // namespace atsan::finding

#endif
