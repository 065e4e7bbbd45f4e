//===- baseline_file.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file of --baseline and --gate, and that of --write-baseline.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_BASELINE_FILE_H
#define ATSAN_TOOLS_ATSAN_BASELINE_FILE_H

#include "lib/report/Findings.h"

namespace atsan::tool {

/// What \p File has; nothing if it is empty. A file that is missing is a
/// warning of \p Who, for there is none on the first day; with how to write it,
/// unless that is what the command does (\p IsWritten). Throws InputError if it
/// is no baseline.
report::Baseline readBaseline(const std::string &File, const char *Who,
                              bool IsWritten);

/// Throws InputError if a baseline cannot be written to \p File, or if it is
/// there and is none: what it has would be lost.
void checkNewBaseline(const std::string &File);

} // namespace atsan::tool

#endif
