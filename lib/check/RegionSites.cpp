//===- RegionSites.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/RegionSites.h"
#include "lib/finding/Places.h"

using namespace atsan::check;

const RegionSites::Code &RegionSites::codeOf(uint32_t Location) {
  const auto [It, IsNew] = Codes.try_emplace(Location, std::string(), Location);
  if (!IsNew || !Known || !Location)
    return It->second;
  for (const trace::Frame &F : Known->stack(Location))
    if (!finding::isOfStandardLibrary(F.File)) {
      It->second = {F.Module, F.Offset};
      break;
    }
  return It->second;
}

bool RegionSites::add(const trace::Event &Begin, uint32_t Closing,
                      uint64_t Variable) {
  return Seen
      .emplace(Begin.Address, codeOf(Begin.Location), codeOf(Closing),
               Closing ? 0 : Variable)
      .second;
}
