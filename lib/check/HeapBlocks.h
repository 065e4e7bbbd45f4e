//===- HeapBlocks.h -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which block of the heap an address is in. Addresses differ from run to run;
// who allocated a block, where, and how many it had allocated there before, are
// the same in runs that do the same.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_HEAPBLOCKS_H
#define ATSAN_CHECK_HEAPBLOCKS_H

#include "lib/check/Analysis.h"
#include <map>

namespace atsan::check {

struct HeapBlock {
  NumberedEvent Birth; ///< Its size is what is left of the block.
  /// The thread's first block from this stack is 1; 0: there is no block.
  uint64_t Which = 0;
};

/// Takes the events of a run, from its begin on. Memory: O(addresses at which
/// blocks have been). Not thread-safe.
class HeapBlocks {
public:
  void take(const NumberedEvent &E);
  /// The block that lives there; null: none does. A block that was freed lives
  /// until its memory is given out again. Valid until the next event.
  const HeapBlock *at(uint64_t Address) const;

private:
  void endLives(const trace::Event &E);

  std::map<uint64_t, HeapBlock> Blocks; ///< By address.
  /// By thread and location.
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> Counts;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_HEAPBLOCKS_H
