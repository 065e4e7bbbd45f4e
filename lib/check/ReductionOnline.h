//===- ReductionOnline.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reduction-based algorithm online (TSE'06 Theorem 1, as Atomizer): the
// checker that runs in process (lib/reduction/atsan_reduction.h), fed by a
// trace.
//
// An event is classified when it happens. So a transaction may pass because a
// race on its variables, or a second user of its locks, shows only later; the
// offline form (Reduction.h, without AcqA*Rel) reports whatever this one does.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_REDUCTIONONLINE_H
#define ATSAN_CHECK_REDUCTIONONLINE_H

#include "lib/check/Limits.h"
#include "lib/check/ReductionFindings.h"

namespace atsan::check {

class ReductionOnline final : public Analysis {
public:
  explicit ReductionOnline(const Options &O);

  bool consume(trace::EventSpan Events) override;
  const std::vector<Finding> &findings() const override {
    return Found.findings();
  }
  std::string notion() const override;
  std::string gaveUp() const override { return Limit.why(); }
  std::vector<std::pair<std::string, uint64_t>> statistics() const override;

private:
  static void found(void *Self, const __atsan::IrreducibleRegion &Region);
  void take(const trace::Event &E);

  Options Given;
  Limits Limit;
  Transactions Order;
  ReductionFindings Found;
  __atsan::ReductionChecker Checker;
  std::vector<NumberedEvent> Regions; // The begin of each thread's region.
  uint64_t Count = 0;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_REDUCTIONONLINE_H
