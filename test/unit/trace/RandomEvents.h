//===- RandomEvents.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random event streams that a run could have made: locks exclude, threads start
// before they run and end before they are joined. And names for them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_TRACE_RANDOMEVENTS_H
#define ATSAN_UNIT_TRACE_RANDOMEVENTS_H

#include "trace/Event.h"
#include <random>

namespace atsan::trace {

struct RandomOptions {
  unsigned Events = 24;
  unsigned Threads = 3;
  unsigned Bytes = 6; ///< Of memory, from 0x1000.
  unsigned MaxSize = 4;
  bool SharedLocks = false;
  bool OnlyStd = false; ///< What STD text can say one to one.
};

std::vector<Event> randomEvents(std::mt19937_64 &Random,
                                const RandomOptions &O);

/// T0, x1000, l2000, region 1 is "r1".
class PlainNames final : public Names {
public:
  std::string thread(uint32_t Thread) const override;
  std::string variable(uint64_t Address) const override;
  std::string lock(uint64_t Address) const override;
  std::string region(uint64_t Name) const override;
  std::vector<Frame> stack(uint32_t) const override { return {}; }
  std::string location(uint32_t Location) const override;
};

/// A stream in memory, handed out in spans of some events.
class EventsSource final : public Source {
public:
  explicit EventsSource(std::vector<Event> Events)
      : Events(std::move(Events)) {}

  EventSpan next() override;
  const std::string &damage() const override { return Damage; }
  const Names &names() const override { return Known; }
  uint64_t bytesRead() const override { return 0; }
  uint64_t bytesTotal() const override { return 0; }

private:
  std::vector<Event> Events;
  size_t Taken = 0;
  std::string Damage;
  PlainNames Known;
};

} // namespace atsan::trace

#endif // ATSAN_UNIT_TRACE_RANDOMEVENTS_H
