//===- RecordedEvents.h
//-----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Events in memory, read as a trace is.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TEST_UNIT_RECORDEDEVENTS_H
#define ATSAN_TEST_UNIT_RECORDEDEVENTS_H

#include "lib/event/Event.h"
#include <cstdlib>
#include <utility>

namespace atsan_test {

/// They must outlive it, and have no names.
class RecordedEvents final : public atsan::trace::Source {
public:
  explicit RecordedEvents(const std::vector<atsan::trace::Event> &Events)
      : Events(Events) {}
  atsan::trace::EventSpan next() override {
    const size_t From = std::exchange(Given, Events.size());
    return {Events.data() + From, Events.size() - From};
  }
  const std::string &damage() const override { return None; }
  const atsan::trace::Names &names() const override { std::abort(); }
  uint64_t bytesRead() const override { return 0; }
  uint64_t bytesTotal() const override { return 0; }

private:
  const std::vector<atsan::trace::Event> &Events;
  size_t Given = 0;
  std::string None;
};

} // namespace atsan_test

#endif // ATSAN_TEST_UNIT_RECORDEDEVENTS_H
