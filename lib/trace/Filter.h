//===- Filter.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which events of a stream someone wants to see.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_FILTER_H
#define ATSAN_TRACE_FILTER_H

#include "lib/event/ByteRange.h"
#include <unordered_map>

namespace atsan::trace {

/// What is wanted. An event must match an entry of each list that has some.
struct FilterOptions {
  std::vector<std::string> Threads; ///< Names of threads.
  std::vector<std::string> Regions; ///< Names of regions that are open.
  std::vector<std::string> Variables, Locks;
  std::vector<ByteRange> Addresses; ///< For accesses, births and deaths.
  std::vector<EventKind> Kinds;
  /// Parts of the name of a function, or file, in the location's stack.
  std::vector<std::string> Functions, Files;
  uint64_t From = 1, To = UINT64_MAX; ///< Numbers of the events.
};

/// Must see all events in order: it follows regions.
class Filter {
public:
  explicit Filter(const FilterOptions &O) : Options(O) {}

  /// Is the event wanted?
  bool take(const Event &E, const Names &Known);
  /// True if no later event can be wanted.
  bool isOver() const { return Count >= Options.To; }

private:
  bool isInRegion(const Event &E, const Names &Known);
  bool isLocation(uint32_t Location, const Names &Known) const;
  bool isAddress(const Event &E) const;

  FilterOptions Options;
  uint64_t Count = 0;
  /// For each thread, whether its open regions are wanted ones.
  std::unordered_map<uint32_t, std::vector<bool>> Open;
  // Answers about names, which are asked for once.
  std::unordered_map<uint64_t, bool> ThreadMatches, VariableMatches,
      LockMatches, LocationMatches;
};

} // namespace atsan::trace

#endif // ATSAN_TRACE_FILTER_H
