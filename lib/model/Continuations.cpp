//===- Continuations.cpp ---------------------------------------------------//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/model/Continuations.h"

using namespace atsan::model;

// Bounds the memory: those that come later are found anew each time.
static constexpr size_t MaxSize = 1 << 18;

Continuation *Continuations::from(unsigned Code, uint32_t Node,
                                  const Value *Locals, size_t Count) {
  if (Size >= MaxSize)
    return nullptr;
  if (All.size() <= Code)
    All.resize(Code + 1);
  Automaton &A = All[Code];
  const auto [Number, IsNew] = A.Rows.add(Locals, Count, Value(Node));
  if (IsNew)
    A.ByRow.emplace_back();
  return &A.ByRow[Number];
}
