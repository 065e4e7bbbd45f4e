//===- ArgRewriter.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns a parsed command line with -fsanitize=atomicity into one for clang.
// Pure: neither looks at the file system nor at the environment.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_DRIVER_ARGREWRITER_H
#define ATSAN_TOOLS_DRIVER_ARGREWRITER_H

#include "tools/driver/InstallPaths.h"
#include "tools/driver/Invocation.h"
#include "tools/driver/RegionOptions.h"
#include "tools/driver/SanitizerLists.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace atsan::driver {

/// \p Argv as clang may see it: without any mention of atomicity. What stays is
/// that the headers of the marks are found, which mean nothing then.
std::vector<std::string> withoutAtomicity(llvm::ArrayRef<const char *> Argv,
                                          const Invocation &Inv,
                                          const SanitizerLists &Lists,
                                          const RegionOptions &Regions,
                                          const InstallPaths &Paths);

/// \p Argv with everything added that instrumenting and linking need.
std::vector<std::string>
withAtomicity(llvm::ArrayRef<const char *> Argv, const Invocation &Inv,
              const SanitizerLists &Lists, const RegionOptions &Regions,
              const InstallPaths &Paths, llvm::StringRef RuntimeDir);

} // namespace atsan::driver

#endif
