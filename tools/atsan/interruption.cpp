//===- interruption.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/interruption.h"
#include <atomic>
#include <csignal>
#include <cstdlib>

namespace atsan::tool {

static constexpr int Signals[] = {SIGINT, SIGTERM, SIGHUP};
static std::atomic<int> Came{0};
/// A handler may not wait for a lock, so that these are no container. What
/// finds no place in it is not killed.
static std::atomic<pid_t> Leaders[256];

static void onSignal(int Signal) {
  Came = Signal;
  for (const std::atomic<pid_t> &Leader : Leaders)
    if (const pid_t Pid = Leader)
      kill(-Pid, SIGKILL);
}

void watchForInterruption() {
  struct sigaction Action = {};
  Action.sa_handler = onSignal;
  Action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (const int Signal : Signals) {
    // What nohup ignores stays ignored.
    struct sigaction Old;
    if (sigaction(Signal, nullptr, &Old) == 0 && Old.sa_handler != SIG_IGN)
      sigaction(Signal, &Action, nullptr);
  }
}

int interruptedBy() { return Came; }

void endBy(int Signal) {
  std::signal(Signal, SIG_DFL);
  std::raise(Signal);
  std::_Exit(128 + Signal);
}

InterruptibleGroup::InterruptibleGroup(pid_t Leader) : Leader(Leader) {
  for (std::atomic<pid_t> &Free : Leaders) {
    pid_t None = 0;
    if (Free.compare_exchange_strong(None, Leader))
      break;
  }
  if (Came)
    kill(-Leader, SIGKILL);
}

InterruptibleGroup::~InterruptibleGroup() {
  for (std::atomic<pid_t> &Used : Leaders) {
    pid_t Mine = Leader;
    if (Used.compare_exchange_strong(Mine, 0))
      return;
  }
}

} // namespace atsan::tool
