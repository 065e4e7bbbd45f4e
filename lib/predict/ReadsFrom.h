//===- ReadsFrom.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which writes the reads of a run have seen, and how many of them would see
// others in another order of the same events.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PREDICT_READSFROM_H
#define ATSAN_PREDICT_READSFROM_H

#include "lib/check/Analysis.h"
#include "lib/predict/StepLog.h"

namespace atsan::predict {

class ReadsFrom {
public:
  /// The log outlives this.
  explicit ReadsFrom(const StepLog &Log);

  /// How many of the reads of a schedule, which begins with the first event,
  /// see another write than they did. O(events).
  uint64_t changed(const std::vector<check::Stretch> &Schedule) const;

private:
  class Memory;

  const StepLog &Log;
  std::map<uint32_t, std::vector<uint64_t>> OfThread; ///< Numbers of events.
  std::vector<uint64_t> Seen; ///< For each event, what it read, as a number.
};

} // namespace atsan::predict

#endif // ATSAN_PREDICT_READSFROM_H
