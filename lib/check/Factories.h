//===- Factories.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the algorithms of which Registry.cpp needs to know no more than that;
// each has a .cpp file of its name, which says what it decides.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_FACTORIES_H
#define ATSAN_CHECK_FACTORIES_H

#include "lib/check/Analysis.h"

namespace atsan::check {

std::unique_ptr<Analysis> makeDeadlocks(const Options &O);
std::unique_ptr<Analysis> makeLockSets(const Options &O);
std::unique_ptr<Analysis> makeReductionOnline(const Options &O);

} // namespace atsan::check

#endif // ATSAN_CHECK_FACTORIES_H
