//===- Timeline.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Timeline.h"
#include <algorithm>

namespace atsan::report {

static bool sameFrames(const Stack &A, const Stack &B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](const Frame &X, const Frame &Y) {
                      return X.Module == Y.Module && X.Offset == Y.Offset &&
                             X.File == Y.File && X.Line == Y.Line;
                    });
}

static bool sameEvent(const Event &A, const Event &B) {
  return A.Role == B.Role && A.Thread == B.Thread &&
         A.Transaction == B.Transaction && A.Access == B.Access &&
         A.Size == B.Size && A.Address == B.Address &&
         sameFrames(A.Frames, B.Frames);
}

Timeline makeTimeline(const Finding &R) {
  Timeline Out;
  for (const Step &S : R.Steps) {
    if (Out.Events.empty() || !sameEvent(*Out.Events.back(), S.First))
      Out.Events.push_back(&S.First);
    const size_t First = Out.Events.size() - 1;
    Out.Events.push_back(&S.Later);
    Out.Links.push_back({First, First + 1});
  }
  return Out;
}

} // namespace atsan::report
