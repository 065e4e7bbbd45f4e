//===- OutputReader.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what atsan check, predict and model found (schema/atsan-check-2), and
// atsan registers (schema/atsan-registers-2).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_OUTPUTREADER_H
#define ATSAN_REPORT_OUTPUTREADER_H

#include "lib/report/LogReader.h"

namespace atsan::report {

/// Adds the findings of \p Text, the contents of the file \p Name. Returns
/// false if it is no output of these commands, whole or damaged.
bool readOutput(std::string_view Text, const std::string &Name, Logs &Out);

} // namespace atsan::report

#endif // ATSAN_REPORT_OUTPUTREADER_H
