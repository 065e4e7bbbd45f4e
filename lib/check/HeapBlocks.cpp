//===- HeapBlocks.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/HeapBlocks.h"
#include <algorithm>
#include <iterator>

using namespace atsan::check;
using atsan::trace::EventKind;

const HeapBlock *HeapBlocks::at(uint64_t Address) const {
  auto I = Blocks.upper_bound(Address);
  if (I == Blocks.begin())
    return nullptr;
  const HeapBlock &B = std::prev(I)->second;
  return Address - B.Birth.What.Address < B.Birth.What.Size ? &B : nullptr;
}

/// What begins there ends. A block that begins before is cut where another one
/// is born in it; where only its last bytes die, it may grow into them again.
void HeapBlocks::endLives(const trace::Event &E) {
  auto I = Blocks.lower_bound(E.Address);
  if (E.Kind == EventKind::Birth && I != Blocks.begin()) {
    trace::Event &Before = std::prev(I)->second.Birth.What;
    Before.Size = std::min(Before.Size, E.Address - Before.Address);
  }
  while (I != Blocks.end() && I->first - E.Address < E.Size)
    I = Blocks.erase(I);
}

void HeapBlocks::take(const NumberedEvent &Next) {
  const trace::Event &E = Next.What;
  if ((E.Kind != EventKind::Birth && E.Kind != EventKind::Death) || !E.Size)
    return;
  endLives(E);
  // Stacks and thread-local storage are born nowhere in the program's code.
  if (E.Kind == EventKind::Birth && !E.IsStack && E.Location)
    Blocks[E.Address] = {Next, ++Counts[{E.Thread, E.Location}]};
}
