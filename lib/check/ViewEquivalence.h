//===- ViewEquivalence.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// View equivalence of small witnesses: TSE'06 defines atomicity by it, while
// what is decided here is conflict-serializability (docs/blocks.md).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_VIEWEQUIVALENCE_H
#define ATSAN_CHECK_VIEWEQUIVALENCE_H

#include "lib/event/Event.h"
#include <vector>

namespace atsan::check {

struct ViewAccess {
  trace::Event What;
  uint32_t Transaction; ///< Its number, from 0.
};

/// Accesses in the order in which they happen: is there an order of whole
/// transactions, as in each thread, in which every read reads from the same
/// write and every variable ends with the same one? Tries all orders: for a
/// handful of transactions. False also where accesses overlap in part.
bool isViewSerializable(const std::vector<ViewAccess> &Accesses);

} // namespace atsan::check

#endif // ATSAN_CHECK_VIEWEQUIVALENCE_H
