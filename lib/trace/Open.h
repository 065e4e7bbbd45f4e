//===- Open.h -------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens a trace of any kind that there is, by what it begins with.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_OPEN_H
#define ATSAN_TRACE_OPEN_H

#include "lib/trace/StdReader.h"

namespace atsan::trace {

/// Opens a trace, binary or STD text; "-" is standard input. Null, and one line
/// in Error with name and remedy, if nothing of it can be read.
std::unique_ptr<Source> open(const std::string &Path, std::string &Error,
                             const StdOptions &O = {});

} // namespace atsan::trace

#endif // ATSAN_TRACE_OPEN_H
