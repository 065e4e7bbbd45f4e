//===- explore_confirm.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_EXPLORE_CONFIRM_H
#define ATSAN_TOOLS_ATSAN_EXPLORE_CONFIRM_H

#include "tools/atsan/explore_search.h"

namespace atsan::tool {

/// Replays the finding, made smaller first if the options ask for it, and
/// writes its files. \p Folder: where it may write; it is there already.
void confirm(ExploredFinding &F, const ExploreOptions &O, const Runner &R,
             const std::string &Folder);

} // namespace atsan::tool

#endif
