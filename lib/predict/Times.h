//===- Times.h ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When the events of a run happen in another schedule of them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PREDICT_TIMES_H
#define ATSAN_PREDICT_TIMES_H

#include "lib/check/Analysis.h"
#include <algorithm>
#include <map>

namespace atsan::predict {

class Times {
public:
  explicit Times(const std::vector<check::Stretch> &Schedule) {
    for (const check::Stretch &S : Schedule)
      Ends[S.Thread].push_back({S.Last, ++Count});
  }
  /// Later events have greater times; {0, 0}: it does not happen.
  using Time = std::pair<uint64_t, uint64_t>;
  Time of(uint32_t Thread, uint64_t Number) const {
    const auto Of = Ends.find(Thread);
    if (Of == Ends.end())
      return {0, 0};
    const auto It = std::lower_bound(Of->second.begin(), Of->second.end(),
                                     std::make_pair(Number, uint64_t(0)));
    return It == Of->second.end() ? Time{0, 0} : Time{It->second, Number};
  }

  /// The last event of a thread before a time, or 0: all of its events up to
  /// that one come before.
  uint64_t lastBefore(uint32_t Thread, Time Before) const {
    const auto Of = Ends.find(Thread);
    if (Of == Ends.end())
      return 0;
    const auto It = std::partition_point(
        Of->second.begin(), Of->second.end(),
        [&](const auto &End) { return End.second < Before.first; });
    // The stretch that the time is in belongs to one thread.
    if (It != Of->second.end() && It->second == Before.first)
      return Before.second - 1;
    return It == Of->second.begin() ? 0 : std::prev(It)->first;
  }

private:
  uint64_t Count = 0;
  std::map<uint32_t, std::vector<std::pair<uint64_t, uint64_t>>> Ends;
};

} // namespace atsan::predict

#endif // ATSAN_PREDICT_TIMES_H
