//===- Escape.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Escape.h"
#include "lib/check/Commuting.h"

using namespace atsan::check;
using atsan::trace::Event;

bool EscapeFilter::drops(const Event &E) {
  feedMemory(Map, E);
  return isAccess(E.Kind) && !Map.HasEscaped(E.Thread, E.Address, E.Size);
}
