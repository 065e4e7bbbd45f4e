//===- Statistics.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figures of an event stream.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_STATISTICS_H
#define ATSAN_TRACE_STATISTICS_H

#include "lib/event/Event.h"
#include <array>
#include <map>
#include <unordered_set>

namespace atsan::trace {

/// Memory: that of the numbers of all variables and locks.
class Statistics {
public:
  void add(const Event &E);

  uint64_t events() const { return Events; }
  uint64_t ofKind(EventKind K) const { return Kinds[static_cast<unsigned>(K)]; }
  uint64_t atomics() const { return Atomics; }
  /// Different first bytes of accesses.
  uint64_t variables() const { return Variables.size(); }
  uint64_t locks() const { return Locks.size(); }
  uint64_t deepestRegion() const { return Deepest; }
  /// Events of each thread; a thread that was only started or joined has none.
  const std::map<uint32_t, uint64_t> &threads() const { return Threads; }
  /// How often the regions of each name began; 0: those without.
  const std::map<uint64_t, uint64_t> &regions() const { return Regions; }

private:
  uint64_t Events = 0, Atomics = 0, Deepest = 0;
  std::array<uint64_t, NumEventKinds> Kinds = {};
  std::unordered_set<uint64_t> Variables, Locks;
  std::map<uint32_t, uint64_t> Threads, Depths;
  std::map<uint64_t, uint64_t> Regions;
};

/// Text for people; about what was read of Trace.
std::string toText(const Statistics &S, const Source &Trace);
/// A JSON object for programs. File is the name of the trace.
std::string toJson(const Statistics &S, const Source &Trace,
                   const std::string &File);

} // namespace atsan::trace

#endif // ATSAN_TRACE_STATISTICS_H
