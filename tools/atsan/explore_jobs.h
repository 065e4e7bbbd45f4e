//===- explore_jobs.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of --jobs.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_EXPLORE_JOBS_H
#define ATSAN_TOOLS_ATSAN_EXPLORE_JOBS_H

#include <atomic>
#include <functional>

namespace atsan::tool {

/// Calls Job(0) to Job(Count - 1), each on a thread of its own, and waits for
/// all. If one throws, \p Stop asks the others to end, and the exception goes
/// on here. Throws InputError before any job begins if there cannot be so many
/// threads.
void runJobs(unsigned Count, std::atomic<bool> &Stop,
             const std::function<void(unsigned)> &Job);

} // namespace atsan::tool

#endif
