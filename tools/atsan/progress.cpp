//===- progress.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/progress.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>

namespace atsan::tool {

Progress::Progress(const char *What, const trace::Source &From,
                   bool OutputIsShown)
    : What(What), From(From),
      IsOn(isatty(STDERR_FILENO) && !(OutputIsShown && isatty(STDOUT_FILENO))),
      Next(Begin + std::chrono::milliseconds(500)) {}

void Progress::show() {
  const Clock::time_point Now = Clock::now();
  if (Now < Next)
    return;
  Next = Now + std::chrono::milliseconds(100);
  IsShown = true;
  const double Seconds = std::chrono::duration<double>(Now - Begin).count();
  char Events[64];
  std::snprintf(Events, sizeof(Events), "%.1f M events, %.1f M/s",
                double(Count) / 1e6, double(Count) / 1e6 / Seconds);
  if (!From.bytesTotal()) {
    std::fprintf(stderr, "\r%s: %s\x1b[K", What, Events);
    return;
  }
  const double Part =
      std::min(1.0, double(From.bytesRead()) / double(From.bytesTotal()));
  constexpr unsigned Width = 30;
  std::string Bar(Width, '.');
  std::fill_n(Bar.begin(), static_cast<unsigned>(Part * Width), '#');
  std::fprintf(stderr, "\r%s: [%s] %3.0f %%, %s, %.0f s left\x1b[K", What,
               Bar.c_str(), 100 * Part, Events,
               Part > 0 ? Seconds / Part - Seconds : 0);
}

Progress::~Progress() {
  if (IsShown)
    std::fputs("\r\x1b[K", stderr);
}

} // namespace atsan::tool
