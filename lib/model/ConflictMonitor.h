//===- ConflictMonitor.h -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The summarized conflict graph (Farzan and Madhusudan, CAV'08, section 3.1) as
// a finite automaton over the accesses of a program (section 4): after each
// event it knows, of every transaction that is active, which threads come after
// it, and which variables were accessed by it and by what comes after it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_CONFLICTMONITOR_H
#define ATSAN_MODEL_CONFLICTMONITOR_H

#include "lib/model/Property.h"

namespace atsan::model {

/// The state: for each thread a set of threads (one bit each): those that are
/// after its transaction. For each variable four sets of active transactions:
/// that read it, that wrote it, and after which somebody else read or wrote it.
/// All sets are closed: what is after somebody after T is after T.
class ConflictMonitor : public Property {
public:
  /// \p Tracked: the variables that can be in a conflict.
  ConflictMonitor(unsigned Threads, const std::vector<bool> &Tracked);

  std::vector<unsigned> widths() const override;
  bool access(Value *M, unsigned Thread, uint32_t Variable, bool IsWrite,
              bool InRegion) const override;
  void endRegion(Value *M, unsigned Thread) const override;
  void endThread(Value *M, unsigned Thread) const override;
  void rename(Value *M, const std::vector<unsigned> &New) const override;

private:
  enum Set : unsigned { OwnReads, OwnWrites, LaterReads, LaterWrites, Sets };
  Value *setsOf(Value *M, unsigned Index) const {
    return M + Threads + Sets * Index;
  }
  void addAfter(Value *M, Value Before, unsigned Thread, bool InRegion) const;

  unsigned Threads;
  unsigned Count = 0;       // Tracked variables.
  std::vector<int> IndexOf; // By variable; -1: not tracked.
};

} // namespace atsan::model

#endif // ATSAN_MODEL_CONFLICTMONITOR_H
