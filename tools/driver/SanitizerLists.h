//===- SanitizerLists.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value of the -fsanitize= family after all options were taken into account
// from left to right: is atomicity on, which of clang's own sanitizers remain,
// and how each list option must be spelled for clang, which does not know
// "atomicity".
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_DRIVER_SANITIZERLISTS_H
#define ATSAN_TOOLS_DRIVER_SANITIZERLISTS_H

#include "clang/Basic/Sanitizers.h"
#include "llvm/Option/ArgList.h"
#include <map>
#include <optional>
#include <string>

namespace atsan::driver {

struct SanitizerLists {
  bool Atomicity = false;
  /// Whether some option names atomicity, be it on or off: clang must not see
  /// it.
  bool Mentioned = false;
  /// Clang's own sanitizers that are on, groups expanded.
  clang::SanitizerMask Others;
  /// The sanitizers in Others that trap instead of calling a runtime.
  clang::SanitizerMask Trapping;
  /// Whether the driver links libFuzzer: see takeFuzzer().
  bool LinksFuzzer = false;
  /// New spelling by argument index; nullopt drops the argument.
  std::map<unsigned, std::optional<std::string>> Edits;
  /// First option that names atomicity where it has no meaning, such as
  /// -fsanitize-recover=atomicity.
  std::string Misplaced;
};

SanitizerLists readSanitizerLists(const llvm::opt::ArgList &Args);

/// Takes the linking of libFuzzer, if it is on, from clang, which would link
/// another sanitizer's runtime with it: for the callbacks of coverage, which
/// the runtime of atomicity has, too. Clang then sees fuzzer-no-link.
void takeFuzzer(const llvm::opt::ArgList &Args, SanitizerLists &Lists);

/// The UndefinedBehaviorSanitizer checks that call its runtime.
clang::SanitizerMask checksCallingUBSanRuntime(const SanitizerLists &Lists);

} // namespace atsan::driver

#endif
