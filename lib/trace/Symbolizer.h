//===- Symbolizer.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From code addresses to functions and lines, through llvm-symbolizer as a
// process beside: the one that ATSAN_SYMBOLIZER_PATH names, or that of the
// compiler, or the first in PATH.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_SYMBOLIZER_H
#define ATSAN_TRACE_SYMBOLIZER_H

#include "lib/event/Event.h"

namespace atsan::trace {

/// Starts the process when first asked. If there is none, says so once, in a
/// line on stderr. Not thread-safe.
class Symbolizer {
public:
  Symbolizer() = default;
  ~Symbolizer();
  Symbolizer(const Symbolizer &) = delete;
  Symbolizer &operator=(const Symbolizer &) = delete;

  /// The frames at Offset in the file, inlined functions first; at least one,
  /// which has no function if nothing is known.
  std::vector<Frame> frames(const std::string &Module, uint64_t Offset);
  /// The name of the variable at Offset in the file, and where in it:
  /// "counters+0x8"; empty: it is not known.
  std::string variable(const std::string &Module, uint64_t Offset);

private:
  bool start();
  void stop();
  bool ask(const std::string &Question);
  bool askAbout(const char *What, const std::string &Module, uint64_t Offset);
  bool readLine(std::string &Line);

  bool Started = false;
  int Child = 0;
  int Socket = -1; ///< To and from the process; -1: there is none.
  /// What the process said beyond the last line that was read.
  std::string Answer;
};

} // namespace atsan::trace

#endif // ATSAN_TRACE_SYMBOLIZER_H
