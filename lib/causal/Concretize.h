//===- Concretize.h ---------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a run of the net, in which threads that are alike have no names, to a
// schedule of the program.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CAUSAL_CONCRETIZE_H
#define ATSAN_CAUSAL_CONCRETIZE_H

#include "lib/causal/ColouredNet.h"
#include "lib/causal/Schedule.h"
#include "lib/net/Search.h"

namespace atsan::causal {

/// Where the run needs more threads than there are, the schedule has replicas
/// that no thread has: see hasEnoughThreads().
Schedule concretize(const Program &P, const ColouredNet &C,
                    const std::vector<ThreadClass> &Classes, const net::Run &R);

/// True if no class has more threads in \p S than the program.
bool hasEnoughThreads(const Program &P, const Schedule &S);

/// How many threads are in a schedule.
size_t countThreads(const Schedule &S);

} // namespace atsan::causal

#endif
