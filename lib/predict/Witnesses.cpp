//===- Witnesses.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/predict/Witnesses.h"
#include "lib/check/Violations.h"
#include "lib/predict/Times.h"
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

using namespace atsan;
using namespace atsan::predict;
using check::ChangedRead;
using check::Finding;
using check::NumberedEvent;

namespace {

/// For each of some reads, the last write before it: in the run, and in the
/// schedule of its finding.
class LastWrites {
public:
  explicit LastWrites(std::vector<Finding> &Findings) {
    for (Finding &F : Findings)
      if (!F.Schedule.empty())
        add(F);
    for (size_t I = 0; I != All.size(); ++I)
      forEachGranule(All[I].Is.Read.What,
                     [&](uint64_t Granule) { At[Granule].push_back(I); });
  }
  bool empty() const { return All.empty(); }

  void take(uint64_t Number, const trace::Event &E) {
    if (!trace::writes(E.Kind) || !E.Size)
      return;
    if (E.Size > MostGranules * 8) {
      for (Wanted &W : All)
        write(W, {Number, E});
      return;
    }
    forEachGranule(E, [&](uint64_t Granule) {
      if (const auto It = At.find(Granule); It != At.end())
        for (size_t I : It->second)
          write(All[I], {Number, E});
    });
  }
  void finish() {
    for (const Wanted &W : All)
      if (W.Is.Was.Number != W.Is.Would.Number)
        W.Of->ChangedReads.push_back(W.Is);
  }

private:
  static constexpr uint64_t MostGranules = 512;
  struct Wanted {
    Finding *Of;
    const Times *Order;
    ChangedRead Is;
    Times::Time Read, Write;
  };
  void add(Finding &F) {
    Orders.push_back(std::make_unique<Times>(F.Schedule));
    std::set<uint64_t> Seen;
    for (const NumberedEvent &E : F.Order)
      if (trace::reads(E.What.Kind) && Seen.insert(E.Number).second)
        All.push_back({&F,
                       Orders.back().get(),
                       {E, {}, {}},
                       Orders.back()->of(E.What.Thread, E.Number),
                       {0, 0}});
  }
  template <typename Function>
  static void forEachGranule(const trace::Event &E, Function F) {
    const uint64_t First = E.Address / 8,
                   Last = (E.Address + (E.Size ? E.Size - 1 : 0)) / 8;
    for (uint64_t G = First; G <= Last && G - First <= MostGranules; ++G)
      F(G);
  }
  static void write(Wanted &W, const NumberedEvent &By) {
    const trace::Event &Read = W.Is.Read.What;
    if (By.What.Address - Read.Address >= Read.Size &&
        Read.Address - By.What.Address >= By.What.Size)
      return;
    if (By.Number < W.Is.Read.Number)
      W.Is.Was = By;
    const Times::Time When = W.Order->of(By.What.Thread, By.Number);
    if (When.first && When < W.Read && W.Write < When) {
      W.Write = When;
      W.Is.Would = By;
    }
  }

  std::vector<std::unique_ptr<Times>> Orders;
  std::vector<Wanted> All;
  std::unordered_map<uint64_t, std::vector<size_t>> At;
};

} // namespace

void atsan::predict::findChangedReads(std::vector<Finding> &Findings,
                                      trace::Source &Again) {
  LastWrites Writes(Findings);
  if (Writes.empty())
    return;
  uint64_t Number = 0;
  for (auto Span = Again.next(); !Span.empty(); Span = Again.next())
    for (const trace::Event &E : Span)
      Writes.take(++Number, E);
  Writes.finish();
}

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

void atsan::predict::onePerRegions(std::vector<Finding> &Findings,
                                   const check::Words &W) {
  using Site = std::tuple<bool, uint64_t, uint32_t>; ///< True: a region.
  std::map<std::set<Site>, size_t> Kept;
  std::vector<Finding> Best;
  std::vector<unsigned> Alike;
  for (Finding &F : Findings) {
    std::set<Site> Sites;
    for (const NumberedEvent &E : F.Order) {
      const check::Place *P = W.Explained.find(E.Number);
      if (P && P->Region.Number)
        Sites.insert({true, P->Region.What.Address, P->Region.What.Location});
      else
        Sites.insert({false, 0, E.What.Location});
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
