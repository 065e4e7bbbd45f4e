//===- search_progress.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long a search has worked, in a line on the terminal.
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/search_progress.h"

#include "lib/base/ResidentMemory.h"
#include <chrono>
#include <cstdio>
#include <unistd.h>

namespace atsan::tool {

SearchProgress::SearchProgress() {
  if (isatty(STDERR_FILENO))
    Shower = std::thread([this] { showEachSecond(); });
}

void SearchProgress::showEachSecond() {
  std::unique_lock<std::mutex> Held(Lock);
  for (unsigned Seconds = 1;; ++Seconds) {
    if (Over.wait_for(Held, std::chrono::seconds(1), [&] { return IsOver; }))
      break;
    std::fprintf(stderr, "\rsearching: %u s, %.0f MiB\x1b[K", Seconds,
                 double(residentBytes()) / (1 << 20));
  }
  std::fputs("\r\x1b[K", stderr);
}

SearchProgress::~SearchProgress() {
  if (!Shower.joinable())
    return;
  {
    const std::lock_guard<std::mutex> Held(Lock);
    IsOver = true;
  }
  Over.notify_one();
  Shower.join();
}

} // namespace atsan::tool
