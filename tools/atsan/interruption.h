//===- interruption.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signals by which a user ends a command that runs others.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_INTERRUPTION_H
#define ATSAN_TOOLS_ATSAN_INTERRUPTION_H

#include <sys/types.h>

namespace atsan::tool {

/// From here on, the first SIGINT, SIGTERM or SIGHUP kills the groups of
/// processes that run, and we go on to say what there is. A second one ends us
/// at once.
void watchForInterruption();

/// The signal that came, or 0. May be called by several threads.
int interruptedBy();

/// Ends this process in the way that the signal would have ended it.
[[noreturn]] void endBy(int Signal);

/// Thrown where a command was run that an interruption has killed.
struct Interruption {};

/// Calls \p Work, which an interruption ends early.
template <class Function> void untilInterrupted(const Function &Work) {
  try {
    Work();
  } catch (const Interruption &) {
    return;
  }
}

/// While it lives, the group of processes is killed by an interruption, also by
/// one that has come before.
class InterruptibleGroup {
public:
  explicit InterruptibleGroup(pid_t Leader);
  ~InterruptibleGroup();
  InterruptibleGroup(const InterruptibleGroup &) = delete;
  InterruptibleGroup &operator=(const InterruptibleGroup &) = delete;

private:
  const pid_t Leader;
};

} // namespace atsan::tool

#endif
