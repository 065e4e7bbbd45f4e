//===- RegionSites.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which findings are one: those of regions of the same name that begin at one
// place of the program's code, and that close at one (docs/semantics.md, rule
// 11). Who called the code does not matter.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_REGIONSITES_H
#define ATSAN_CHECK_REGIONSITES_H

#include "lib/event/Event.h"
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace atsan::check {

class RegionSites {
public:
  /// \p Known tells what locations stand for; null: each is a place of its own.
  explicit RegionSites(const trace::Names *Known) : Known(Known) {}

  /// Takes a region's begin and where it closes; the variable counts if that
  /// place is not known. False if there was such a finding before.
  bool add(const trace::Event &Begin, uint32_t Closing, uint64_t Variable);

private:
  /// A module and an address in it, or a location of which no more is known.
  using Code = std::pair<std::string, uint64_t>;
  const Code &codeOf(uint32_t Location);

  const trace::Names *Known;
  std::unordered_map<uint32_t, Code> Codes;
  std::set<std::tuple<uint64_t, Code, Code, uint64_t>> Seen;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_REGIONSITES_H
