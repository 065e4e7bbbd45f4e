//===- Deadlines.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Deadlines.h"
#include <algorithm>

using namespace atsan::registers;

Deadlines::Deadlines(const Register &R) {
  const auto Raise = [](Stamp &To, Stamp S) { To = std::max(To, S + 1); };
  // Stamps are kept plus 1: nobody is 0, the default of the map.
  LastOfAny = 0;
  for (const Operation &O : R.Operations) {
    const Stamp Return = O.isUnknown() ? Never - 1 : O.Return;
    if (O.What == Kind::Read)
      Raise(LastUse.get(O.Argument), Return);
    else if (O.isReadModifyWrite())
      Raise(LastUse.get(O.Expected), Return);
    else if (O.What != Kind::Write)
      Raise(LastOfAny, Return);
  }
}

Stamp Deadlines::of(const Operation &O) const {
  Stamp Last = LastOfAny;
  if (O.What == Kind::Write || O.isReadModifyWrite()) {
    if (const Stamp *Use = LastUse.find(O.Argument))
      Last = std::max(Last, *Use);
  } else {
    Last = Never; // What it leaves is not known here.
  }
  return Last == Never ? Never : Last - 1;
}
