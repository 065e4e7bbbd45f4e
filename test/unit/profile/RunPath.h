//===- RunPath.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Is a run of a program without data one? Follows each thread through its
// automaton and those of the procedures that it calls, and each lock. Written
// without sight of lib/profile.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_PROFILE_RUNPATH_H
#define ATSAN_UNIT_PROFILE_RUNPATH_H

#include "lib/model/Machine.h"

namespace atsan_test {

/// What is wrong with the run; empty if nothing is.
std::string problemOf(const atsan::model::Program &P,
                      const std::vector<atsan::model::Action> &Run,
                      bool WithLocks);

} // namespace atsan_test

#endif // ATSAN_UNIT_PROFILE_RUNPATH_H
