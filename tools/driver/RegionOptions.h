//===- RegionOptions.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options that say what is checked: -fatomicity-regions=, -fatomicity-
// exclude= and -fatomicity-tsan-annotations, which clang does not know, and
// -fsanitize-ignorelist=, which it does not know for us. Their files are read
// by the pass.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_DRIVER_REGIONOPTIONS_H
#define ATSAN_TOOLS_DRIVER_REGIONOPTIONS_H

#include "llvm/Option/ArgList.h"
#include <set>
#include <string>
#include <vector>

namespace atsan::driver {

struct RegionOptions {
  /// Options of the pass.
  std::vector<std::string> PassOptions;
  /// What the output depends on, beside the sources.
  std::vector<std::string> Files;
  /// Whether code is to be read as if ThreadSanitizer was on.
  bool TSanAnnotations = false;
  /// Arguments that clang must not see, by index.
  std::set<unsigned> Ours;
  /// What is wrong with the first option that makes no sense, or empty.
  std::string Problem;
};

RegionOptions readRegionOptions(const llvm::opt::ArgList &Args);

} // namespace atsan::driver

#endif
