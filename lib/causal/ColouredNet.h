//===- ColouredNet.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Petri net of CAV'06 whose tokens have colours, as a net without colours.
// What became blue is causally behind the begin of the chosen block; what
// became yellow is behind it through another thread. The chosen thread that
// takes something yellow within its block shows that the block is not causally
// atomic: a token in RED.
//
// The paper has a token for each thread and variable. Here a variable has one
// token with two colours, that of the last write and the highest one of the
// reads since; both decide the same, and the unfolding stays linear in the
// threads.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CAUSAL_COLOUREDNET_H
#define ATSAN_CAUSAL_COLOUREDNET_H

#include "lib/causal/Skeleton.h"
#include "lib/net/Net.h"

namespace atsan::causal {

/// Threads with the same skeleton: they differ in nothing that matters.
struct ThreadClass {
  /// Threads of the program, or single replicas; each with how many it stands
  /// for.
  std::vector<std::pair<Skeleton, uint32_t>> Members;
  uint32_t Count = 0;       ///< The sum of them.
  bool IsAnyNumber = false; ///< One of the threads is T[*].
};

/// What a transition of the net stands for.
struct Origin {
  enum class Role : uint8_t {
    Other,  ///< A thread whose block was not chosen.
    Choose, ///< The block that begins here is chosen.
    Chosen  ///< The chosen thread, in its block.
  };
  uint32_t Class = 0;
  uint32_t State = 0;
  uint32_t Step = 0;
  uint32_t Depth =
      0; ///< For Choose: how many checked regions are open, with it.
  Role As = Role::Other;
  bool IsYellow = false;    ///< Is an other thread yellow before the step?
  bool IsYellowNow = false; ///< Is it yellow behind it?
};

struct ColouredNet {
  net::Net N;                  ///< Its only target is RED.
  std::vector<Origin> Origins; ///< For each transition.
};

/// Builds the net; with \p OneByOne, tokens of one class have places of their
/// own each, so that the net is safe (only if no class IsAnyNumber).
ColouredNet makeColouredNet(const Program &P,
                            const std::vector<ThreadClass> &Classes,
                            bool OneByOne);

} // namespace atsan::causal

#endif
