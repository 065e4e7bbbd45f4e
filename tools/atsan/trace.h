//===- trace.h ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the commands that read traces have in common.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_TRACE_H
#define ATSAN_TOOLS_ATSAN_TRACE_H

#include "lib/trace/Open.h"
#include "tools/atsan/Command.h"
#include <memory>

namespace atsan::tool {

struct TraceInput {
  std::string File;
  trace::StdOptions Std;

  void declare(CLI::App &App, const std::string &Help);
  // Opens the trace; throws InputError.
  std::unique_ptr<trace::Source> open() const;
  /// Opens a trace that will be opened another time, which a pipe cannot be.
  /// Throws InputError.
  std::unique_ptr<trace::Source> openFirst() const;
};

Action declareTracePrint(CLI::App &App);   ///< trace_print.cpp
Action declareTraceStats(CLI::App &App);   ///< trace_print.cpp
Action declareTraceConvert(CLI::App &App); ///< trace_convert.cpp

} // namespace atsan::tool

#endif
