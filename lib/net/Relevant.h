//===- Relevant.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of a net that matters for its targets.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_NET_RELEVANT_H
#define ATSAN_NET_RELEVANT_H

#include "lib/net/Net.h"

namespace atsan::net {

struct RelevantPart {
  Net Part;
  std::vector<TransitionId> Transitions; ///< What its numbers are in the net.
  std::vector<PlaceId> Places;
  std::vector<size_t> Targets;
};

/// Leaves out transitions that can never fire, since a place that they need
/// never gets a token; those that add tokens only where no target needs any;
/// and places that neither a target nor such a transition needs. A target of
/// the part is coverable exactly if it is in the net: more tokens never disable
/// anything.
RelevantPart relevantPart(const Net &N);

} // namespace atsan::net

#endif
