//===- trace.h ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the sub-commands of `atsan trace` have in common.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOL_TRACE_H
#define ATSAN_TOOL_TRACE_H

#include "Command.h"
#include "trace/Open.h"
#include <memory>

namespace atsan::tool {

struct TraceInput {
  std::string File;
  trace::StdOptions Std;

  void declare(CLI::App &App);
  /// Throws InputError.
  std::unique_ptr<trace::Source> open() const;
};

Action declareTracePrint(CLI::App &App);   ///< trace_print.cpp
Action declareTraceStats(CLI::App &App);   ///< trace_print.cpp
Action declareTraceConvert(CLI::App &App); ///< trace_convert.cpp

} // namespace atsan::tool

#endif
