//===- Filter.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/Filter.h"
#include <algorithm>

using namespace atsan::trace;

static bool contains(const std::vector<std::string> &Names,
                     const std::string &Name) {
  return std::find(Names.begin(), Names.end(), Name) != Names.end();
}

static bool isPartOf(const std::vector<std::string> &Parts,
                     const std::string &Name) {
  return Parts.empty() ||
         std::any_of(Parts.begin(), Parts.end(), [&](const std::string &Part) {
           return Name.find(Part) != std::string::npos;
         });
}

/// What Compute says of Number, computed once.
template <typename Function>
static bool once(std::unordered_map<uint64_t, bool> &Known, uint64_t Number,
                 Function Compute) {
  const auto [I, IsNew] = Known.try_emplace(Number);
  if (IsNew)
    I->second = Compute();
  return I->second;
}

bool Filter::isInRegion(const Event &E, const Names &Known) {
  std::vector<bool> &Regions = Open[E.Thread];
  if (E.Kind == EventKind::RegionBegin)
    Regions.push_back(E.Address &&
                      contains(Options.Regions, Known.region(E.Address)));
  const bool Result =
      std::find(Regions.begin(), Regions.end(), true) != Regions.end();
  if (E.Kind == EventKind::RegionEnd && !Regions.empty())
    Regions.pop_back();
  if (E.Kind == EventKind::End)
    Regions.clear();
  return Result;
}

bool Filter::isLocation(uint32_t Location, const Names &Known) const {
  const std::vector<Frame> Stack = Known.stack(Location);
  return std::any_of(Stack.begin(), Stack.end(), [this](const Frame &F) {
    return isPartOf(Options.Functions, F.Function) &&
           isPartOf(Options.Files, F.File);
  });
}

bool Filter::isAddress(const Event &E) const {
  if (!(isAccess(E.Kind) || E.Kind == EventKind::Birth ||
        E.Kind == EventKind::Death) ||
      !E.Size)
    return false;
  const ByteRange Own = ByteRange::of(E);
  return std::any_of(
      Options.Addresses.begin(), Options.Addresses.end(),
      [&](ByteRange R) { return R.Begin <= Own.Last && Own.Begin <= R.Last; });
}

bool Filter::take(const Event &E, const Names &Known) {
  ++Count;
  if (!Options.Regions.empty() && !isInRegion(E, Known))
    return false;
  if (Count < Options.From || Count > Options.To)
    return false;
  if (!Options.Kinds.empty() &&
      std::find(Options.Kinds.begin(), Options.Kinds.end(), E.Kind) ==
          Options.Kinds.end())
    return false;
  if (!Options.Threads.empty() && !once(ThreadMatches, E.Thread, [&] {
        return contains(Options.Threads, Known.thread(E.Thread));
      }))
    return false;
  if (!Options.Addresses.empty() && !isAddress(E))
    return false;
  if (!Options.Variables.empty() &&
      !(isAccess(E.Kind) && once(VariableMatches, E.Address, [&] {
          return contains(Options.Variables, Known.variable(E.Address));
        })))
    return false;
  if (!Options.Locks.empty() &&
      !(isOfLock(E.Kind) && once(LockMatches, E.Address, [&] {
          return contains(Options.Locks, Known.lock(E.Address));
        })))
    return false;
  return (Options.Functions.empty() && Options.Files.empty()) ||
         once(LocationMatches, E.Location,
              [&] { return isLocation(E.Location, Known); });
}
