//===- progress.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How far the reading of a trace is, in a line on the terminal.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_PROGRESS_H
#define ATSAN_TOOLS_ATSAN_PROGRESS_H

#include "lib/event/Event.h"
#include <chrono>

namespace atsan::tool {

/// Nothing is shown unless stderr is a terminal, nor in the first half second,
/// nor while output of ours goes to a terminal. The line vanishes at the end.
class Progress {
public:
  /// \p What: "collecting", of the events of \p From.
  Progress(const char *What, const trace::Source &From, bool OutputIsShown);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  void advance(uint64_t Events) {
    Count += Events;
    if (IsOn)
      show();
  }

private:
  using Clock = std::chrono::steady_clock;
  void show();

  const char *What;
  const trace::Source &From;
  bool IsOn;
  bool IsShown = false;
  uint64_t Count = 0;
  Clock::time_point Begin = Clock::now(), Next;
};

} // namespace atsan::tool

#endif
