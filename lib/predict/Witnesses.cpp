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
#include "lib/predict/Times.h"
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

using namespace atsan;
using namespace atsan::predict;
using check::ChangedRead;
using check::Finding;
using check::NumberedEvent;

namespace {

/// For each of some reads, the last write before it: in the run, and in the
/// schedule of its finding. A thread's writes come in the order of the run in
/// each schedule; so of each thread that writes there the last one up to some
/// event is asked for. Gets the run twice: to know who writes, and what.
class LastWrites {
public:
  explicit LastWrites(std::vector<Finding> &Findings) {
    for (Finding &F : Findings)
      if (!F.Schedule.empty())
        add(F);
  }
  bool empty() const { return Reads.empty(); }

  /// Takes an event of the run, for the first time.
  void takeFirst(const trace::Event &E) {
    forEachWritten(E, [&](Bytes &B) { B.LastOfOne[E.Thread]; });
  }
  /// Behind the last event, before the run comes again.
  void ask() {
    for (size_t I = 0; I != Reads.size(); ++I)
      askFor(I);
    std::sort(
        Questions.begin(), Questions.end(),
        [](const Question &A, const Question &B) { return A.UpTo < B.UpTo; });
  }
  void take(uint64_t Number, const trace::Event &E) {
    answer(Number);
    forEachWritten(E, [&](Bytes &B) {
      B.Last = {Number, E};
      B.LastOfOne[E.Thread] = B.Last;
    });
  }
  void finish() {
    answer(~uint64_t(0));
    for (const Read &R : Reads)
      if (R.Is.Was.Number != R.Is.Would.Number)
        R.Of->ChangedReads.push_back(R.Is);
  }

private:
  static constexpr uint64_t MostGranules = 512;
  struct Read {
    Finding *Of;
    ChangedRead Is;
    const Times *Order;
    size_t Bytes;
    Times::Time Write; ///< When Is.Would happens.
  };
  struct Bytes {
    uint64_t Address, Size;
    NumberedEvent Last; ///< The last write, whoever made it.
    std::unordered_map<uint32_t, NumberedEvent> LastOfOne; ///< By thread.
  };
  /// Asks for the last write up to an event, of a thread or of all.
  struct Question {
    uint64_t UpTo;
    size_t Read;
    std::optional<uint32_t> Thread;
  };

  void add(Finding &F) {
    Orders.push_back(std::make_unique<Times>(F.Schedule));
    std::set<uint64_t> Seen;
    for (const NumberedEvent &E : F.Order)
      if (trace::reads(E.What.Kind) && Seen.insert(E.Number).second)
        Reads.push_back(
            {&F, {E, {}, {}}, Orders.back().get(), bytesOf(E.What), {0, 0}});
  }
  void askFor(size_t Of) {
    const Read &R = Reads[Of];
    const NumberedEvent &E = R.Is.Read;
    Questions.push_back({E.Number - 1, Of, {}});
    const Times::Time When = R.Order->of(E.What.Thread, E.Number);
    for (const auto &Writer : All[R.Bytes].LastOfOne)
      if (const uint64_t Last = R.Order->lastBefore(Writer.first, When))
        Questions.push_back({Last, Of, Writer.first});
  }
  size_t bytesOf(const trace::Event &E) {
    const auto Is = Known.try_emplace({E.Address, E.Size}, All.size());
    const size_t Number = Is.first->second;
    if (Is.second) {
      All.push_back({E.Address, E.Size, {}, {}});
      forEachGranule(E,
                     [&](uint64_t Granule) { At[Granule].push_back(Number); });
    }
    return Number;
  }
  template <typename Function>
  static void forEachGranule(const trace::Event &E, Function F) {
    const uint64_t First = E.Address / 8,
                   Last = (E.Address + (E.Size ? E.Size - 1 : 0)) / 8;
    for (uint64_t G = First; G <= Last && G - First <= MostGranules; ++G)
      F(G);
  }
  template <typename Function>
  void forEachWritten(const trace::Event &E, Function F) {
    if (!trace::writes(E.Kind) || !E.Size)
      return;
    const auto Written = [&](Bytes &B) {
      if (E.Address - B.Address < B.Size || B.Address - E.Address < E.Size)
        F(B);
    };
    if (E.Size > MostGranules * 8) {
      for (Bytes &B : All)
        Written(B);
      return;
    }
    forEachGranule(E, [&](uint64_t Granule) {
      if (const auto It = At.find(Granule); It != At.end())
        for (size_t I : It->second)
          Written(All[I]);
    });
  }
  /// Answers what is asked of the events before one.
  void answer(uint64_t Before) {
    for (; Next != Questions.size() && Questions[Next].UpTo < Before; ++Next) {
      const Question &Q = Questions[Next];
      Read &R = Reads[Q.Read];
      Bytes &B = All[R.Bytes];
      if (!Q.Thread) {
        R.Is.Was = B.Last;
        continue;
      }
      const NumberedEvent &Last = B.LastOfOne[*Q.Thread];
      const Times::Time When = R.Order->of(*Q.Thread, Last.Number);
      if (Last.Number && R.Write < When) {
        R.Write = When;
        R.Is.Would = Last;
      }
    }
  }

  std::vector<std::unique_ptr<Times>> Orders;
  std::vector<Read> Reads;
  std::vector<Bytes> All;
  std::map<std::pair<uint64_t, uint64_t>, size_t> Known;
  std::unordered_map<uint64_t, std::vector<size_t>> At;
  std::vector<Question> Questions; ///< By event.
  size_t Next = 0;
};

} // namespace

void atsan::predict::findChangedReads(
    std::vector<Finding> &Findings,
    const std::function<std::unique_ptr<trace::Source>()> &Open) {
  LastWrites Writes(Findings);
  if (Writes.empty())
    return;
  const auto ForEach = [&](const auto &Take) {
    uint64_t Number = 0;
    const std::unique_ptr<trace::Source> Run = Open();
    for (auto Span = Run->next(); !Span.empty(); Span = Run->next())
      for (const trace::Event &E : Span)
        Take(++Number, E);
  };
  ForEach([&](uint64_t, const trace::Event &E) { Writes.takeFirst(E); });
  Writes.ask();
  ForEach([&](uint64_t N, const trace::Event &E) { Writes.take(N, E); });
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
