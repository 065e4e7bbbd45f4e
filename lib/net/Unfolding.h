//===- Unfolding.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The prefix of the unfolding of a safe net: events and conditions, with
// cut-offs.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_NET_UNFOLDING_H
#define ATSAN_NET_UNFOLDING_H

#include "lib/net/Search.h"

namespace atsan::net {

using ConditionId = uint32_t;
using EventId = uint32_t;
constexpr EventId NoEvent = UINT32_MAX;

struct Condition {
  PlaceId Place;
  EventId From; ///< NoEvent: of the initial marking.
  /// The conditions that can hold together with this one, in ascending order;
  /// none behind a cut-off, which nothing grows from.
  std::vector<ConditionId> Concurrent;
};

struct Event {
  TransitionId By;
  std::vector<ConditionId> Pre, Post; ///< Post is empty for a cut-off.
  uint32_t Level = 0;                 ///< The longest chain of events to it.
  bool IsCutOff = false;
};

struct Prefix {
  std::vector<Condition> Conditions;
  std::vector<Event> Events;
  /// All events that must happen for the target; empty if it was not found.
  std::vector<EventId> Found;
};

/// searchUnfolding() that leaves the prefix in \p P.
Answer unfold(const Net &N, Budget &B, Prefix &P);

/// Decides with that engine. \p P gets the prefix of Engine::Unfolding.
Answer search(const Net &N, Engine E, Budget &B, Prefix &P);

} // namespace atsan::net

#endif
