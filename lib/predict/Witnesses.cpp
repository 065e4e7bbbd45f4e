//===- Witnesses.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/predict/Witnesses.h"
#include "lib/check/Violations.h"
#include "lib/finding/Places.h"
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

using namespace atsan;
using namespace atsan::predict;
using check::ChangedRead;
using check::Finding;
using check::NumberedEvent;

void atsan::predict::rank(std::vector<Finding> &Findings) {
  const auto Key = [](const Finding &F) {
    uint64_t First = ~uint64_t(0), Last = 0;
    for (const NumberedEvent &E : F.Order) {
      First = std::min(First, E.Number);
      Last = std::max(Last, E.Number);
    }
    return std::make_tuple(F.ChangedReads.size() + F.ChangedTries.size(),
                           F.Relations.size(),
                           F.Order.empty() ? 0 : Last - First, First);
  };
  std::sort(
      Findings.begin(), Findings.end(),
      [&](const Finding &A, const Finding &B) { return Key(A) < Key(B); });
}

namespace {

/// Places are the same whoever called them.
class PlaceNumbers {
public:
  explicit PlaceNumbers(const trace::Names &Names) : Names(Names) {}

  uint32_t of(uint32_t Location) {
    const auto Is = Known.try_emplace(Location, 0);
    if (Is.second)
      Is.first->second =
          Numbers.try_emplace(innermost(Location), Numbers.size())
              .first->second;
    return Is.first->second;
  }

private:
  std::string innermost(uint32_t Location) const {
    const std::vector<trace::Frame> Stack = Names.stack(Location);
    if (Stack.empty())
      return std::to_string(Location);
    const auto Its =
        std::find_if(Stack.begin(), Stack.end(), [](const trace::Frame &F) {
          return !finding::isOfStandardLibrary(F.File);
        });
    const trace::Frame &F = Its == Stack.end() ? Stack.front() : *Its;
    return F.Line ? F.File + ':' + std::to_string(F.Line)
                  : F.Module + '+' + std::to_string(F.Offset);
  }

  const trace::Names &Names;
  std::unordered_map<uint32_t, uint32_t> Known; ///< By location.
  std::map<std::string, uint32_t> Numbers;
};

} // namespace

void atsan::predict::onePerRegions(std::vector<Finding> &Findings,
                                   const check::Words &W) {
  using Site = std::tuple<bool, uint64_t, uint32_t>; ///< True: a region.
  PlaceNumbers Numbers(W.Names);
  std::map<std::set<Site>, size_t> Kept;
  std::vector<Finding> Best;
  std::vector<unsigned> Alike;
  for (Finding &F : Findings) {
    std::set<Site> Sites;
    for (const NumberedEvent &E : F.Order) {
      const check::Place *P = W.Explained.find(E.Number);
      if (P && P->Region.Number)
        Sites.insert({true, P->Region.What.Address,
                      Numbers.of(P->Region.What.Location)});
      else
        Sites.insert({false, 0, Numbers.of(E.What.Location)});
    }
    const auto [It, IsNew] = Kept.try_emplace(Sites, Best.size());
    if (!IsNew) {
      ++Alike[It->second];
      continue;
    }
    Best.push_back(std::move(F));
    Alike.push_back(0);
  }
  for (size_t I = 0; I != Best.size(); ++I)
    if (Alike[I])
      Best[I].Notes.push_back(
          check::counted(Alike[I], "more order") +
          " of accesses of these regions would be bad, too; --all shows each");
  Findings = std::move(Best);
}

static std::string eventNumber(const NumberedEvent &E) {
  return "event " + std::to_string(E.Number);
}

void atsan::predict::addNotes(Finding &F, const check::Words &W) {
  if (F.Notes.empty() && !F.Order.empty()) {
    F.Notes.push_back("In this order it can happen:");
    for (const NumberedEvent &E : F.Order)
      F.Notes.push_back("  " + W.eventInPlace(E));
  }
  std::string Forces;
  for (const check::Relation &R : F.Relations)
    if (R.Why != check::reason::ProgramOrder && R.First.Number &&
        R.Later.Number)
      Forces += (Forces.empty() ? "" : ", ") + eventNumber(R.First) +
                " before " + eventNumber(R.Later);
  F.Notes.push_back("What forces it: " + Forces);
  if (F.Schedule.empty()) {
    F.Notes.push_back("Which reads would get another value is not known");
    return;
  }
  F.Notes.push_back(F.ChangedReads.empty()
                        ? "None of these reads would get another value"
                        : "It takes for granted that threads do the same "
                          "although these reads get another value:");
  for (const ChangedRead &R : F.ChangedReads)
    F.Notes.push_back(
        "  " + W.eventInPlace(R.Read) + ": from " +
        (R.Would.Number ? W.eventInPlace(R.Would)
                        : std::string("before the run")) +
        "; in the run from " +
        (R.Was.Number ? eventNumber(R.Was) : std::string("before it")));
  if (!F.ChangedTries.empty())
    F.Notes.push_back("It takes for granted that these fail again, although "
                      "nothing is in their way:");
  for (const NumberedEvent &E : F.ChangedTries)
    F.Notes.push_back("  " + W.eventInPlace(E));
}
