//===- explore_nested.h ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan explore` as a test of a suite that another one explores: its test is
// what that one means.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_EXPLORE_NESTED_H
#define ATSAN_TOOLS_ATSAN_EXPLORE_NESTED_H

#include <string>
#include <vector>

namespace atsan::tool {

/// If another exploration runs this one, or a schedule is replayed, the command
/// takes its place, and this does not return. Otherwise marks all processes
/// that will be started as explored. Throws InputError.
void takePlaceIfExplored(const std::vector<std::string> &Command);

} // namespace atsan::tool

#endif
