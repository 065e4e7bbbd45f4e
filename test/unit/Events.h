//===- Events.h -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tests of lib/trace and lib/check make events of, and of events.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_EVENTS_H
#define ATSAN_UNIT_EVENTS_H

#include "lib/trace/EventText.h"

namespace atsan_test {

inline atsan::trace::Event event(uint32_t Thread, atsan::trace::EventKind Kind,
                                 uint64_t Address = 0, uint64_t Size = 0) {
  atsan::trace::Event E;
  E.Thread = Thread;
  E.Kind = Kind;
  E.Address = Address;
  E.Size = Size;
  return E;
}

/// All that a source has left.
inline std::vector<atsan::trace::Event> readAll(atsan::trace::Source &From) {
  std::vector<atsan::trace::Event> Events;
  for (atsan::trace::EventSpan Span; !(Span = From.next()).empty();)
    Events.insert(Events.end(), Span.begin(), Span.end());
  return Events;
}

/// T0, x1000, l2000; region 1 is "r1", location 7 is "7".
class PlainNames : public atsan::trace::Names {
public:
  std::string thread(uint32_t Thread) const override {
    return "T" + std::to_string(Thread);
  }
  std::string variable(uint64_t Address) const override {
    return "x" + hex(Address);
  }
  std::string lock(uint64_t Address) const override {
    return "l" + hex(Address);
  }
  std::string region(uint64_t Name) const override {
    return Name ? "r" + std::to_string(Name) : std::string();
  }
  std::vector<atsan::trace::Frame> stack(uint32_t) const override { return {}; }
  std::string location(uint32_t Location) const override {
    return std::to_string(Location);
  }

private:
  static std::string hex(uint64_t Number) {
    return atsan::trace::hexText(Number).substr(2);
  }
};

} // namespace atsan_test

#endif // ATSAN_UNIT_EVENTS_H
