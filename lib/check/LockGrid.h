//===- LockGrid.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Can two threads, each in a stretch (LockStretches.h) or outside of one, do
// certain accesses in a certain order? The ways of two threads are the ways
// through a grid, from which locks cut out rectangles (Dijkstra's progress
// diagram): exact, in time linear in the grid. Where locks are nested, this is
// what acquisition histories decide (Kahlon, Ivancic, Gupta, CAV'05; Farzan,
// Madhusudan, Sorrentino, CAV'09); it holds for locks in any order.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_LOCKGRID_H
#define ATSAN_CHECK_LOCKGRID_H

#include "lib/check/LockStretches.h"

namespace atsan::check {

/// What one of the two threads does: operations, and between them its two
/// accesses, or one that counts as both.
struct GridScript {
  std::vector<LockStretches::Operation> Operations;
  /// How many operations come before each access.
  uint32_t In = 0, Out = 0;
  bool OutIsFirst = false; ///< If no operation is between them.
  bool IsOne = false;      ///< In and Out are one access.
};

class LockGrid {
public:
  explicit LockGrid(const LockStretches &S) : Stretches(S) {}

  enum class Answer { Can, Cannot, TooLarge };
  /// An access of the order: of the second thread? The one that leaves?
  struct Mark {
    bool IsSecond, Leaves;
  };
  /// Can A leave before B is entered, and B leave before A is entered? If so,
  /// \p Order gets the order of the accesses in which they can. O(product of
  /// the numbers of operations on locks that both use).
  Answer meet(const GridScript &A, const GridScript &B,
              std::vector<Mark> &Order) const;

private:
  const LockStretches &Stretches;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_LOCKGRID_H
