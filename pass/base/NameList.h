//===- NameList.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists of function names from files that the user gives. What a line means is
// in lib/base/NamePattern.h, which the runtime reads such lists by, too.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_BASE_NAMELIST_H
#define ATSAN_PASS_BASE_NAMELIST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LLVMContext.h"
#include <string>
#include <vector>

namespace atsan {

class NameList {
public:
  /// Adds the patterns of a file. An error about the file, or a line of it,
  /// goes to \p C, which makes the compilation fail. \p Option is what named
  /// it.
  void add(llvm::LLVMContext &C, llvm::StringRef Option, llvm::StringRef File);

  /// Does a pattern match the linkage name, or what it stands for in the
  /// source, with or without parameters?
  bool contains(llvm::StringRef LinkageName) const;

  bool empty() const { return Patterns.empty(); }
  /// The patterns, one a line.
  std::string text() const;

private:
  std::vector<std::string> Patterns;
};

} // namespace atsan

#endif // ATSAN_PASS_BASE_NAMELIST_H
