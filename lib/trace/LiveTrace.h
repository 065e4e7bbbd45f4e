//===- LiveTrace.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trace whose program still runs looks like a damaged one now and then.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_LIVETRACE_H
#define ATSAN_TRACE_LIVETRACE_H

#include <cstdint>
#include <string>

namespace atsan::trace {

/// Does the process that began to write the trace at \p Path go on to do so?
/// \p StartTime: as the trace's header has it.
bool isStillWritten(const std::string &Path, uint64_t Pid, uint64_t StartTime);

} // namespace atsan::trace

#endif // ATSAN_TRACE_LIVETRACE_H
