//===- CommonFrames.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which calls of a stack have not returned yet where another stack of the same
// thread was taken later. Used by the runtime, which has no C++ library, and by
// atsan check.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_BASE_COMMONFRAMES_H
#define ATSAN_BASE_COMMONFRAMES_H

namespace atsan_frames {

// How many frames two stacks have in common, from the outermost one on: the
// last of them is where the thread went another way. Stacks have the innermost
// frame first; `one` and `other` are their sizes. is_same_function(i, j) and
// is_same_place(i, j) compare frame i of the one with frame j of the other.
template <class SameFunction, class SamePlace>
unsigned CommonFrames(unsigned one, unsigned other,
                      SameFunction is_same_function, SamePlace is_same_place) {
  unsigned common = 0;
  while (common < one && common < other &&
         is_same_function(one - common - 1, other - common - 1)) {
    common++;
    if (!is_same_place(one - common, other - common))
      break;
  }
  return common;
}

} // namespace atsan_frames

#endif // ATSAN_BASE_COMMONFRAMES_H
