//===- Conflicts.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says in one sentence why a command line cannot work with atomicity and what
// to do instead. Runs before clang does, so that users never meet hundreds of
// duplicate symbols or a program that silently reports nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_DRIVER_CONFLICTS_H
#define ATSAN_TOOLS_DRIVER_CONFLICTS_H

#include "tools/driver/InstallPaths.h"
#include "tools/driver/Invocation.h"
#include "tools/driver/SanitizerLists.h"
#include <string>

namespace atsan::driver {

/// The first reason against the command, or an empty string.
std::string findConflict(const Invocation &Inv, const SanitizerLists &Lists);

/// Does the command want UBSan's runtime beside ours in one executable? Static
/// ones do not fit together, shared ones do.
bool needsSharedRuntime(const Invocation &Inv, const SanitizerLists &Lists);

/// Names a file that the command needs and that is not there, or "".
std::string findMissingFile(const Invocation &Inv, const InstallPaths &Paths);

} // namespace atsan::driver

#endif
