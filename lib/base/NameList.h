//===- NameList.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Switches that are given as a list of names: "none", "all", or "a,b".
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_BASE_NAMELIST_H
#define ATSAN_BASE_NAMELIST_H

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace atsan::check {

using NamedSwitches = std::vector<std::pair<const char *, bool *>>;

/// Turns on the switches that \p Text names and off all others. False, and no
/// change, if a name is not among them.
inline bool parseNames(const std::string &Text, const NamedSwitches &Switches) {
  std::vector<bool> On(Switches.size(), Text == "all");
  if (Text != "all" && Text != "none") {
    for (size_t From = 0; From <= Text.size();) {
      const size_t Comma = std::min(Text.find(',', From), Text.size());
      const std::string Name = Text.substr(From, Comma - From);
      size_t I = 0;
      while (I != Switches.size() && Name != Switches[I].first)
        ++I;
      if (I == Switches.size())
        return false;
      On[I] = true;
      From = Comma + 1;
    }
  }
  for (size_t I = 0; I != Switches.size(); ++I)
    *Switches[I].second = On[I];
  return true;
}

} // namespace atsan::check

#endif // ATSAN_BASE_NAMELIST_H
