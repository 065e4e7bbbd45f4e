//===- ScheduleFileFuzzer.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules as text, whatever is in them: each is read whole, or refused with a
// line that it has.
//
//===----------------------------------------------------------------------===//

#include "runtime/schedule/atsan_schedule_file.h"

#include <algorithm>
#include <stdlib.h>
#include <string>

using namespace __atsan;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  ScheduleText schedule;
  u32 line = 0;
  if (ParseSchedule(text.c_str(), &schedule, &line)) {
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    if (line < 1 || line > lines + 1)
      abort();
    return 0;
  }
  if (schedule.orders.size() &&
      (schedule.switches.size() || schedule.exploration))
    abort();
  for (const Order &o : schedule.orders)
    if (!o.first.visit || !o.second.visit || o.first.thread == o.second.thread)
      abort();
  for (const Switch &s : schedule.switches)
    if (!s.at.visit || !s.line)
      abort();
  return 0;
}
