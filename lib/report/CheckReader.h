//===- CheckReader.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what `atsan check --json` found in a trace
// (schema/atsan-check-1.schema.json), as reports like those of a program.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_CHECKREADER_H
#define ATSAN_REPORT_CHECKREADER_H

#include "lib/report/LogReader.h"

namespace atsan::report {

/// Is the text output of `atsan check --json`, whole or damaged?
bool isCheckOutput(std::string_view Text);

/// Adds the findings in output of `atsan check --json`. \p Name is the file's.
void readCheckOutput(std::string_view Text, const std::string &Name, Logs &Out);

} // namespace atsan::report

#endif
