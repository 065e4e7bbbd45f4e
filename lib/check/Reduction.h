//===- Reduction.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reduction-based algorithm offline (TSE'06 Theorem 2): events are
// classified by the whole trace, and each transaction must have the form
// (R + AcqA*Rel)* N? (L + AcqA*Rel)*, both-movers anywhere.
//
// The theorem as printed in some copies has N* where the text says "at most one
// non-mover"; two of them need not be adjacent in every schedule, so N? it is.
// A critical section of a transaction counts as AcqA*Rel if everything in it
// commutes without the lock: accesses to read-only and thread-local variables
// (more exactly: to which no two conflicting accesses are in concurrent
// periods), and lock operations. Its acquire and release can be left out of
// every schedule, so it may lie anywhere, and across others.
//
// Sound: if the events of the trace have a schedule that is not
// conflict-serializable, then some transaction is reported; also where
// schedules may deadlock. Not complete: it may report atomic transactions.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_REDUCTION_H
#define ATSAN_CHECK_REDUCTION_H

#include "lib/check/Commuting.h"
#include "lib/check/Limits.h"
#include "lib/check/ReductionFindings.h"
#include <unordered_set>

namespace atsan::check {

class Reduction final : public Analysis {
public:
  explicit Reduction(const Options &O);

  bool consume(trace::EventSpan Events) override;
  void finish() override;
  const std::vector<Finding> &findings() const override {
    return Found.findings();
  }
  std::string notion() const override;
  std::string gaveUp() const override { return Limit.why(); }
  std::vector<std::pair<std::string, uint64_t>> statistics() const override;

private:
  // An event of a transaction that may turn out to be no both-mover.
  struct Item {
    __atsan::StepKind Kind;
    bool Continues = false; ///< Shares its event with the item before.
    uint32_t Of = 0;        ///< Number of the variable, or the lock.
    uint32_t Location = 0;
    uint64_t Number = 0; ///< The number of the event.
  };
  // The items of a transaction. Equal sequences are kept once, with the numbers
  // of events of the first.
  struct Sequence {
    uint32_t Thread;
    NumberedEvent Region;
    uint64_t Begin; ///< Where the part of the region begins.
    std::vector<Item> Items;
  };
  struct SameShape {
    size_t operator()(const Sequence &S) const;
    bool operator()(const Sequence &A, const Sequence &B) const;
  };
  struct ThreadState {
    bool IsOpen = false;
    Sequence Now;
    // The number of the stretch since the last lock operation (see Seen).
    uint64_t Segment = 0;
    NumberedEvent Region;
  };
  // How often a variable was seen in a segment.
  struct Seen {
    uint64_t Segment = 0;
    unsigned Times = 0;
  };

  void take(const trace::Event &E);
  void access(const trace::Event &E, ThreadState *In);
  void open(ThreadState &T, const trace::Event &E, uint64_t Begin);
  void close(ThreadState &T);
  bool canBreak(const Sequence &S) const;
  /// Reports the transaction if what is known by now makes it irreducible.
  bool decide(const Sequence &S);
  /// Tells for each item of S whether it is an acquire or release that belongs
  /// to AcqA*Rel.
  std::vector<bool> inert(const Sequence &S) const;
  __atsan::Mover classify(const Item &I) const;
  static bool isAccess(const Item &I) {
    return I.Kind <= __atsan::StepKind::kWrite;
  }
  static bool isLock(const Item &I) {
    return I.Kind == __atsan::StepKind::kAcquire ||
           I.Kind == __atsan::StepKind::kRelease;
  }
  uint8_t flagsOf(uint32_t Variable,
                  const __atsan::RaceEvidence **Race = nullptr) const;
  __atsan::ReductionStep step(const Sequence &S, size_t Index) const;

  Options Given;
  Limits Limit;
  Transactions Order;
  __atsan::Commutativity Facts;
  ReductionFindings Found;
  uint64_t Count = 0;
  uint64_t Segments = 0;
  uint64_t Checked = 0;
  std::vector<ThreadState> Threads;
  std::vector<Seen> SeenIn; // One for each number of a variable.
  std::unordered_set<Sequence, SameShape, SameShape> Undecided;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_REDUCTION_H
