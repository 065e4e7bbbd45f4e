//===- RegistersReader.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what `atsan registers --json` found in a history
// (schema/atsan-registers-1.schema.json), as reports like those of a program.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_REGISTERSREADER_H
#define ATSAN_REPORT_REGISTERSREADER_H

#include "lib/report/LogReader.h"

namespace atsan::report {

/// Is the text output of `atsan registers --json`, whole or damaged?
bool isRegistersOutput(std::string_view Text);

/// Adds the findings in output of `atsan registers --json`. \p Name is the
/// file's.
void readRegistersOutput(std::string_view Text, const std::string &Name,
                         Logs &Out);

} // namespace atsan::report

#endif
