//===- refine_list.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list that `atsan refine` adds to. What is in the file stays as it is, to
// the letter, and at any moment the file is either the old one or the new one.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_REFINE_LIST_H
#define ATSAN_TOOLS_ATSAN_REFINE_LIST_H

#include "lib/finding/Finding.h"
#include <string>
#include <vector>

namespace atsan::tool {

struct Exclusion {
  std::string Pattern;
  /// Why: lines of a comment.
  std::vector<std::string> Reasons;
};

/// Returns what keeps the region from beginning that the report's cycle closes
/// in. Throws InputError if nothing can.
Exclusion exclusionFor(const finding::Finding &R);

class ExclusionList {
public:
  /// Makes the file if there is none. Throws InputError if there is something
  /// wrong with it.
  explicit ExclusionList(const std::string &File);

  const std::string &path() const { return Path; }
  bool has(const std::string &Pattern) const;
  void add(const std::vector<Exclusion> &New);
  size_t size() const { return Patterns.size(); }

private:
  void read();

  std::string Path;
  std::string Text;
  std::vector<std::string> Patterns;
};

} // namespace atsan::tool

#endif
