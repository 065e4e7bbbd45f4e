//===-- atsan_reduction_observer.h ------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ATSAN_OPTIONS=checkers=scg,reduction: an observer that hands every event to
// the reduction-based checker (reduction/), and what that finds to the reports.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REDUCTION_OBSERVER_H
#define ATSAN_REDUCTION_OBSERVER_H

namespace __atsan {

// Begins, if the option is given. By the main thread, when it has its state.
void ReductionInit();

}  // namespace __atsan

#endif  // ATSAN_REDUCTION_OBSERVER_H
