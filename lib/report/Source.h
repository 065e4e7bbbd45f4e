//===- Source.h -------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines of source code around a place, as far as its file is there and is
// text.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_SOURCE_H
#define ATSAN_REPORT_SOURCE_H

#include "lib/report/Parts.h"
#include <map>

namespace atsan::report {

struct Excerpt {
  unsigned First = 0;             ///< The number of the first line.
  std::vector<std::string> Lines; ///< Valid UTF-8; none: nothing to show.
};

class Sources {
public:
  explicit Sources(const Places &P) : P(P) {}

  /// The frame's line between those before and after it.
  Excerpt around(const Frame &F);

private:
  const std::string &textOf(const std::string &Path);

  const Places &P;
  std::map<std::string, std::string> Texts; ///< Empty: not to be shown.
};

} // namespace atsan::report

#endif // ATSAN_REPORT_SOURCE_H
