//===- Findings.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an algorithm of the registry says of a trace.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_CHECK_FINDINGS_H
#define ATSAN_UNIT_CHECK_FINDINGS_H

#include "lib/check/Analysis.h"

namespace atsan_test {

/// The algorithm when it has seen all events.
std::unique_ptr<atsan::check::Analysis>
analysed(const char *Algorithm, const std::vector<atsan::trace::Event> &Events,
         const atsan::check::Options &Given = {});

/// Its findings. The test fails if it gave up.
std::vector<atsan::check::Finding>
findings(const char *Algorithm, const std::vector<atsan::trace::Event> &Events,
         const atsan::check::Options &Given = {});

/// The number of the event that closes the first cycle; 0: there is none.
uint64_t firstClosing(const std::vector<atsan::check::Finding> &Found);

} // namespace atsan_test

#endif // ATSAN_UNIT_CHECK_FINDINGS_H
