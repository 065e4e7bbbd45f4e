//===- Rereading.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The events of a run, to be gone through several times: read again, or kept.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_REREADING_H
#define ATSAN_CHECK_REREADING_H

#include "lib/check/Limits.h"

namespace atsan::check {

/// Not thread-safe.
class Rereading {
public:
  explicit Rereading(const Options &O) : O(O) {}

  /// Takes every event of the first reading.
  void take(const trace::Event &E) {
    ++Count;
    if (!O.Again)
      Kept.push_back(E);
  }
  /// Calls F(event) for each of them again, until the limit is reached.
  template <typename Function> void forEach(Limits &Limit, Function F) const {
    uint64_t Left = Count;
    const auto Take = [&](trace::EventSpan Span) {
      for (const trace::Event &E : Span) {
        if (!Left || Limit.reached())
          return false;
        --Left;
        F(E);
      }
      return Left != 0 && !Span.empty();
    };
    if (!O.Again) {
      Take({Kept.data(), Kept.size()});
      return;
    }
    const std::unique_ptr<trace::Source> Trace = O.Again();
    while (Take(Trace->next()))
      ;
  }

private:
  const Options &O;
  uint64_t Count = 0;
  std::vector<trace::Event> Kept;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_REREADING_H
