//===- Blocks.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Blocks.h"
#include "lib/check/Commuting.h"

using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;

/// How many occurrences of one visit are tried.
static constexpr unsigned MaxTries = 4;

Blocks::Blocks(const Options &O) : O(O), Limit(O) {
  if (O.Level == "1v")
    OneVariable.emplace(
        O, [this](const OneVariableBlocks::Pattern &P) { return report(P); });
  else
    Units.emplace(O, O.Level == "full");
}

bool Blocks::consume(trace::EventSpan Events) {
  for (const Event &Each : Events) {
    if (Limit.reached())
      return false;
    ++Count;
    if (!O.Again)
      this->Events.push_back(Each);
    Event E = Each;
    if (O.Improved.Escape && feedEscapes(Escapes, E)) {
      // The event keeps its number, and is of no concern.
      E.Kind = EventKind::Pointer;
      ++Dropped;
      if (Units && E.Size)
        Units->accessed(E.Thread);
    }
    if (OneVariable)
      OneVariable->take(E);
    else
      Units->take(E);
  }
  return true;
}

/// Reads the trace again, once there is something to look for: what a schedule
/// can be made of, and be replayed with.
void Blocks::load() {
  if (Schedules)
    return;
  Schedules.emplace();
  Checker.emplace(O.Splits);
  std::optional<BlockUnits> Twin;
  if (Units) {
    Twin.emplace(O, false);
    Twin->follow(*Units, [this](const BlockUnits::Occurrence &R) {
      if (R.Thread >= Runs.size())
        Runs.resize(size_t(R.Thread) + 1);
      Runs[R.Thread].push_back(
          {R.Instance, Units->sets().of(R.Acquired), Numbers.size()});
      if (R.Instance == BlockUnits::Occurrence::Dropped)
        return;
      for (const auto *Of : {&R.Events, &R.Begins})
        for (const NumberedEvent &E : *Of)
          Numbers.push_back(E.Number);
    });
  }
  __atsan::EscapeMap EscapesAgain;
  uint64_t Left = Count;
  auto Take = [&](trace::EventSpan Span) {
    for (const Event &Each : Span) {
      if (!Left || Limit.reached())
        return;
      --Left;
      Schedules->take(Each);
      Checker->take(Each);
      if (Each.Kind == EventKind::Start ||
          (Each.Kind == EventKind::Join && Each.Address != Each.Thread))
        Edges.push_back({Count - Left, Each});
      if (!Twin)
        continue;
      Event E = Each;
      if (O.Improved.Escape && feedEscapes(EscapesAgain, E))
        E.Kind = EventKind::Pointer;
      Twin->take(E);
    }
  };
  if (!O.Again) {
    Take({Events.data(), Events.size()});
  } else {
    const std::unique_ptr<trace::Source> Trace = O.Again();
    for (auto Span = Trace->next();
         Left && !Span.empty() && Limit.why().empty(); Span = Trace->next())
      Take(Span);
  }
  if (Twin)
    Twin->end();
}

/// Is there a schedule, and does it stand up to a replay?
bool Blocks::confirm(const std::vector<Witness::Visit> &Cycle, bool OneByOne,
                     Stretches &Schedule) {
  switch (Schedules->find(Cycle, OneByOne, Schedule)) {
  case Witness::Answer::None:
    ++Refuted;
    return false;
  case Witness::Answer::Unknown:
    ++Undecided;
    return false;
  case Witness::Answer::Found:
    break;
  }
  if (Checker->check(Schedule, Cycle).empty())
    return true;
  ++Wrong;
  return false;
}

bool Blocks::confirm(const std::vector<Visit> &Cycle, bool OneByOne,
                     Stretches &Schedule) {
  Picked.clear();
  return confirmFrom(Cycle, 0, OneByOne, Schedule);
}

/// Tries occurrences for the visits from a certain one on.
bool Blocks::confirmFrom(const std::vector<Visit> &Cycle, size_t From,
                         bool OneByOne, Stretches &Schedule) {
  if (From == Cycle.size()) {
    std::vector<Witness::Visit> Visits;
    for (const Visit &V : Cycle) {
      Witness::Visit W{Units->instances()[V.Entered].Thread, {}, {}};
      if (V.Entry != Visit::None)
        W.Entry = event(V.Entered, V.Entry);
      if (V.Exit != Visit::None)
        W.Exit = event(V.Left, V.Exit);
      Visits.push_back(W);
    }
    return confirm(Visits, OneByOne, Schedule);
  }
  const Visit &V = Cycle[From];
  if (V.Entered == V.Left)
    return confirmFrom(Cycle, From + 1, OneByOne, Schedule);
  // Before is the last run of V.Entered before a run of V.Left.
  unsigned Tries = 0;
  const Ran *Before = nullptr;
  HeldSets::Id Between = HeldSets::Empty;
  for (const Ran &R : Runs[Units->instances()[V.Entered].Thread]) {
    if (R.Instance == V.Left && Before &&
        (Units->coarse() || Units->sets().subset(Between, V.Between))) {
      Picked[V.Entered] = Before->Numbers;
      Picked[V.Left] = R.Numbers;
      if (confirmFrom(Cycle, From + 1, OneByOne, Schedule))
        return true;
      if (++Tries == MaxTries)
        break;
    }
    if (R.Instance == V.Entered) {
      Before = &R;
      Between = HeldSets::Empty;
    } else {
      Between = Units->unionOf(Between, R.Acquired);
    }
  }
  Picked.erase(V.Entered);
  Picked.erase(V.Left);
  return false;
}

void Blocks::finish() {
  if (!Limit.why().empty())
    return;
  if (OneVariable) {
    OneVariable->finish();
    return;
  }
  Units->finish();
  // Most regions that are not atomic show in pairs of transactions, of which it
  // takes little to look at all: what is found need not be looked for again.
  Cycles.emplace(*Units, Limit);
  searchCycles(/*PairsOnly=*/true);
  HasPairs = Limit.why().empty();
  if (O.Level == "full" && (O.All || Found.empty()))
    searchCycles(/*PairsOnly=*/false);
}

void Blocks::searchCycles(bool PairsOnly) {
  Cycles->search(
      PairsOnly, [this](const Visit &V) { return wanted(V); },
      [this](const std::vector<Visit> &Cycle) {
        return !report(Cycle) || O.All;
      });
}

std::string Blocks::notion() const {
  const std::string Which =
      O.Level == "1v"
          ? "one region and an access of another thread to the same "
            "byte in between"
      : O.Level == "2v" ? "two transactions"
                        : "any number of transactions";
  return "could another schedule of the same events (locks, start, join and "
         "barriers respected) have a conflict graph with a cycle? Looks at "
         "cycles of " +
         Which + "; what is found is potential";
}

std::string Blocks::gaveUp() const {
  if (Undecided && Limit.why().empty())
    return std::to_string(Undecided) +
           " patterns can be run in too many ways to tell whether they can "
           "happen; make regions or critical sections shorter, or record a "
           "shorter run";
  return HasPairs && !Limit.why().empty()
             ? Limit.why() + ". All cycles of two transactions were looked at"
             : Limit.why();
}

std::vector<std::pair<std::string, uint64_t>> Blocks::statistics() const {
  std::vector<std::pair<std::string, uint64_t>> Figures = {
      {"unescaped accesses", Dropped}};
  if (OneVariable) {
    Figures.push_back({"distinct blocks", OneVariable->distinctBlocks()});
  }
  Figures.push_back({"patterns that no schedule has", Refuted});
  Figures.push_back({"schedules that did not stand up to a replay", Wrong});
  if (OneVariable)
    return Figures;
  Figures.push_back({"distinct blocks", Units->distinctBlocks()});
  Figures.push_back({"distinct units", Units->shapes().size()});
  Figures.push_back({"by thread and period", Units->instances().size()});
  Figures.push_back({"what lies between units is not known", Units->coarse()});
  Figures.push_back(
      {"questions what leads to what", Cycles ? Cycles->questions() : 0});
  Figures.push_back({"cycles tried", Cycles ? Cycles->tried() : 0});
  Figures.push_back({"schedule states", Cycles ? Cycles->states() : 0});
  return Figures;
}

NumberedEvent Blocks::event(uint32_t Instance, uint32_t Item) const {
  NumberedEvent E = Units->instances()[Instance].Events[Item];
  if (const auto I = Picked.find(Instance); I != Picked.end())
    E.Number = Numbers[I->second + Item];
  return E;
}

/// The begin of the region that an access is of; Number 0: of none.
NumberedEvent Blocks::begin(uint32_t Instance, uint32_t Item) const {
  const UnitInstance &I = Units->instances()[Instance];
  const UnitItem &Access = Units->shapes()[I.Shape].Items[Item];
  NumberedEvent Begin = I.Begins[Access.Transaction];
  if (const auto P = Picked.find(Instance); P != Picked.end())
    Begin.Number = Numbers[P->second + I.Events.size() + Access.Transaction];
  return Begin;
}
