//===- StepLog.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a controlled run wrote for ATSAN_OPTIONS=schedule_log=FILE
// (runtime/schedule/atsan_schedule_log.h has the format): its events, each with
// the point of the program that its thread had come to before it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PREDICT_STEPLOG_H
#define ATSAN_PREDICT_STEPLOG_H

#include "lib/event/Event.h"
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace atsan::predict {

/// The point before an event, as schedules name it.
struct Point {
  uint32_t Place = 0; ///< An index of StepLog::Places.
  uint32_t Visit = 1; ///< The thread's n-th visit of the place.
  /// No earlier event of the thread has this point: a thread that is held there
  /// has not made this event, and has made all before.
  bool IsFresh = false;
};

/// Not thread-safe.
class StepLog {
public:
  /// Threads have smaller numbers.
  static constexpr uint32_t MaxThread = 1 << 20;

  /// Reads a log. Returns an empty string, or what is wrong, with the line. A
  /// last line without an end is that of a process that died, and left out.
  std::string read(const std::string &Text);

  /// The n-th event has the number n + 1 in findings.
  const std::vector<trace::Event> &events() const { return Events; }
  const Point &pointOf(uint64_t Number) const { return Points[Number - 1]; }
  const std::string &place(uint32_t Index) const { return Places[Index]; }
  /// "get() bank.cpp:12:5": where an event is, for people.
  std::string where(uint64_t Number) const;
  /// The name of a thread in schedules, such as 0.2; empty: it is not known.
  std::string path(uint32_t Thread) const;

private:
  bool readLine(const std::string &Line);
  uint32_t placeOf(const std::string &Name, const std::string &Source);
  uint32_t locationOf(uint32_t Location, uint32_t Place);

  std::vector<trace::Event> Events;
  std::vector<Point> Points;
  std::vector<std::string> Places;
  std::vector<std::string> Sources; ///< Each place's; empty: not known.
  std::unordered_map<std::string, uint32_t> PlaceNumbers;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> Locations;
  std::map<uint32_t, std::string> Paths;
};

} // namespace atsan::predict

#endif // ATSAN_PREDICT_STEPLOG_H
