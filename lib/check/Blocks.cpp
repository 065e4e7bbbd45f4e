//===- Blocks.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "check/Blocks.h"
#include "check/Violations.h"
#include <algorithm>
#include <cstdio>

using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;

static const char NoOrder[] = ", and no order of whole regions explains that";

Blocks::Blocks(const Options &O) : O(O), Limit(O) {
  if (O.Level == "1v")
    OneVariable.emplace(
        O, [this](const OneVariableBlocks::Pattern &P) { report(P); });
  else
    Units.emplace(O, O.Level == "full");
}

bool Blocks::consume(trace::EventSpan Events) {
  for (const Event &Each : Events) {
    if (Limit.reached())
      return false;
    Event E = Each;
    if (O.Improved.Escape && Unescaped.drops(E)) {
      // It keeps its number, and is of no concern.
      E.Kind = EventKind::Pointer;
      ++Dropped;
    }
    if (OneVariable)
      OneVariable->take(E);
    else
      Units->take(E);
  }
  return true;
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
        report(Cycle);
        return O.All;
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
  return HasPairs && !Limit.why().empty()
             ? Limit.why() + ". All cycles of two transactions were looked at"
             : Limit.why();
}

std::vector<std::pair<std::string, uint64_t>> Blocks::statistics() const {
  std::vector<std::pair<std::string, uint64_t>> Figures = {
      {"unescaped accesses", Dropped}};
  if (OneVariable) {
    Figures.push_back({"distinct blocks", OneVariable->distinctBlocks()});
    return Figures;
  }
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

const NumberedEvent &Blocks::event(uint32_t Instance, uint32_t Item) const {
  return Units->instances()[Instance].Events[Item];
}

/// The begin of the region that an access is of; Number 0: of none.
NumberedEvent Blocks::begin(uint32_t Instance, uint32_t Item) const {
  const UnitInstance &I = Units->instances()[Instance];
  const UnitItem &Access = Units->shapes()[I.Shape].Items[Item];
  return I.Begins[Access.Transaction];
}

static std::string hex(uint64_t Value) {
  char Text[24];
  std::snprintf(Text, sizeof Text, "0x%llx",
                static_cast<unsigned long long>(Value));
  return Text;
}

/// "l, m (shared)"; "no lock".
std::string Blocks::locks(const HeldSets::Set &S) const {
  if (S.empty())
    return "no lock";
  std::string Text;
  for (const HeldSets::Member &M : S)
    Text += (Text.empty() ? "" : ", ") +
            (O.Names ? O.Names->lock(M.Lock) : hex(M.Lock)) +
            (M.Exclusive ? "" : " (shared)");
  return Text;
}

std::string Blocks::thread(uint32_t Number) const {
  return O.Names ? O.Names->thread(Number) : "T" + std::to_string(Number);
}

/// "Event 3 of T1 and events 4, 5 of T2 can come between events 1 and 2 of a
/// region of T0".
std::string
Blocks::sentence(const NumberedEvent &First, const NumberedEvent &Last,
                 const std::vector<const NumberedEvent *> &Between) const {
  std::string Text;
  for (size_t I = 0, End; I < Between.size(); I = End) {
    const uint32_t Thread = Between[I]->What.Thread;
    std::string Numbers;
    for (End = I; End < Between.size() && Between[End]->What.Thread == Thread;
         ++End)
      Numbers.append(End == I ? "" : ", ")
          .append(std::to_string(Between[End]->Number));
    Text.append(Text.empty() ? "" : ", ")
        .append(End - I == 1 ? "event " : "events ")
        .append(Numbers)
        .append(" of ")
        .append(thread(Thread));
  }
  Text[0] = 'E';
  return Text + " can come between events " + std::to_string(First.Number) +
         " and " + std::to_string(Last.Number) + " of a region of " +
         thread(First.What.Thread);
}

/// "event 7: T1 writes x at f.c:12".
std::string Blocks::what(const NumberedEvent &E) const {
  const Event &A = E.What;
  const char *Verb = A.Kind == EventKind::Read    ? " reads "
                     : A.Kind == EventKind::Write ? " writes "
                                                  : " updates ";
  if (!O.Names)
    return "event " + std::to_string(E.Number) + ": " + thread(A.Thread) +
           Verb + hex(A.Address);
  return "event " + std::to_string(E.Number) + ": " + thread(A.Thread) + Verb +
         O.Names->variable(A.Address) +
         (A.Location ? " at " + O.Names->location(A.Location) : "");
}

void Blocks::noteAccess(Finding &F, const NumberedEvent &E,
                        const HeldSets::Set &Held) const {
  if (F.Notes.empty())
    F.Notes.push_back("The pattern, in an order in which it can happen:");
  F.Notes.push_back("  " + what(E) + ", holding " + locks(Held));
}

void Blocks::noteHeld(Finding &F, const NumberedEvent &From,
                      const NumberedEvent &To,
                      const HeldSets::Set &Held) const {
  F.Notes.push_back("Held from event " + std::to_string(From.Number) +
                    " to event " + std::to_string(To.Number) + ": " +
                    locks(Held));
}

void Blocks::noteView(Finding &F, const std::vector<ViewAccess> &Pattern) {
  if (isViewSerializable(Pattern))
    F.Notes.push_back("View equivalence: these accesses alone read and leave "
                      "what they do in a serial order; it takes another one to "
                      "tell the difference");
}

void Blocks::add(Finding F, const Site &S) {
  F.What = Notion::Potential;
  F.Kind = "unserializable-pattern";
  for (const Relation &R : F.Relations)
    F.Closing = std::max({F.Closing, R.First.Number, R.Later.Number});
  Sites.insert(S);
  Found.push_back(std::move(F));
}

void Blocks::report(const OneVariableBlocks::Pattern &P) {
  const Site S = siteOf(P.Begin, P.Last);
  if (!wanted(S))
    return;
  Finding F;
  F.Message = sentence(P.First, P.Last, {&P.Between}) + NoOrder;
  F.Blamed.push_back({P.First.What.Thread, P.Begin});
  F.Relations.push_back({P.First, P.Between, reason::Conflict});
  F.Relations.push_back({P.Between, P.Last, reason::Conflict});
  noteAccess(F, P.First, OneVariable->sets()[P.HeldFirst]);
  noteAccess(F, P.Between, OneVariable->sets()[P.HeldBetween]);
  noteAccess(F, P.Last, OneVariable->sets()[P.HeldLast]);
  noteHeld(F, P.First, P.Last, OneVariable->sets()[P.HeldThroughout]);
  noteView(F, {{P.First.What, 0}, {P.Between.What, 1}, {P.Last.What, 0}});
  add(std::move(F), S);
}

/// With the addresses of locks for their numbers.
HeldSets::Set Blocks::addresses(HeldSets::Id Numbers) const {
  HeldSets::Set S = Units->sets()[Numbers];
  for (HeldSets::Member &M : S)
    M.Lock = Units->lockAddress(uint32_t(M.Lock));
  return S;
}

/// In which they can happen. Turns the cycle, so that its first visit is one
/// that all the others can come in between of, one after another, if there is
/// such a one: then nothing but that is proved not to be serializable.
Blocks::AccessOrder Blocks::orderOf(std::vector<Visit> &Cycle) const {
  for (size_t I = 0; I < Cycle.size(); ++I) {
    std::vector<Visit> Turned = Cycle;
    std::rotate(Turned.begin(), Turned.begin() + long(I), Turned.end());
    if (!Turned[0].isLeftFirst())
      continue;
    const AccessOrder Order = Cycles->order(Turned, true);
    if (Order.empty())
      continue;
    Cycle = std::move(Turned);
    return Order;
  }
  return Cycles->order(Cycle, false);
}

std::vector<const NumberedEvent *>
Blocks::between(const std::vector<Visit> &Cycle, const AccessOrder &Order,
                size_t Visit) const {
  std::vector<const NumberedEvent *> Found;
  bool Inside = false;
  for (const BlockSchedule::Access &A : Order)
    if (A.Visit == Visit)
      Inside = A.Leaves;
    else if (Inside)
      Found.push_back(
          A.Leaves ? &event(Cycle[A.Visit].Left, Cycle[A.Visit].Exit)
                   : &event(Cycle[A.Visit].Entered, Cycle[A.Visit].Entry));
  return Found;
}

/// The steps of the cycle.
void Blocks::relate(Finding &F, const std::vector<Visit> &Cycle) const {
  const NumberedEvent *Before = nullptr;
  for (size_t I = 0; I <= Cycle.size(); ++I) {
    const Visit &V = Cycle[I % Cycle.size()];
    const NumberedEvent *Entry = nullptr, *Exit = nullptr;
    if (I && V.Entry != Visit::None)
      Entry = &event(V.Entered, V.Entry);
    if (I < Cycle.size() && V.Exit != Visit::None)
      Exit = &event(V.Left, V.Exit);
    if (Entry && Before)
      F.Relations.push_back({*Before, *Entry,
                             isAccess(Before->What.Kind) &&
                                     Before->What.Thread != Entry->What.Thread
                                 ? reason::Conflict
                                 : reason::ProgramOrder});
    if (Exit && (!Entry || Exit->Number != Entry->Number)) {
      auto Transaction = [&](uint32_t Item) {
        return Units->shapes()[Units->instances()[V.Left].Shape]
            .Items[Item]
            .Transaction;
      };
      const bool SameTransaction = Entry && V.Entered == V.Left &&
                                   Transaction(V.Entry) == Transaction(V.Exit);
      if (Entry && !SameTransaction)
        F.Relations.push_back({*Entry, *Exit, reason::ProgramOrder});
      else if (!Entry && Before)
        F.Relations.push_back({*Before, *Exit, reason::ThreadStart});
    }
    if (Exit)
      Before = Exit;
    else if (Entry)
      Before = Entry;
  }
}

bool Blocks::wanted(const Visit &First) const {
  const Site S = siteOf(First);
  return wanted(S) && !Explained.count({S, firstPlace(First)});
}

void Blocks::report(std::vector<Visit> Cycle) {
  Explained.insert({siteOf(Cycle[0]), firstPlace(Cycle[0])});
  const AccessOrder Order = orderOf(Cycle);
  const Visit &Own = Cycle[0];
  const NumberedEvent &First = event(Own.Entered, Own.Exit);
  const NumberedEvent &Last = event(Own.Entered, Own.Entry);
  const Site S = siteOf(Own);
  if (!wanted(S))
    return; // The cycle was turned.
  Finding F;
  relate(F, Cycle);
  std::vector<ViewAccess> Pattern;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> Transactions;
  for (const BlockSchedule::Access &A : Order) {
    const Visit &V = Cycle[A.Visit];
    const uint32_t Instance = A.Leaves ? V.Left : V.Entered;
    const uint32_t Item = A.Leaves ? V.Exit : V.Entry;
    const uint32_t Shape = Units->instances()[Instance].Shape;
    const NumberedEvent &E = event(Instance, Item);
    noteAccess(F, E, addresses(Cycles->heldIn(Shape)[Item]));
    const uint32_t Transaction = Units->shapes()[Shape].Items[Item].Transaction;
    Pattern.push_back(
        {E.What, Transactions
                     .emplace(std::make_pair(Instance, Transaction),
                              uint32_t(Transactions.size()))
                     .first->second});
  }
  // Whoever is interrupted is not atomic.
  for (size_t I = 0; I < Cycle.size(); ++I) {
    const Visit &V = Cycle[I];
    const std::vector<const NumberedEvent *> Others =
        V.isLeftFirst() ? between(Cycle, Order, I)
                        : std::vector<const NumberedEvent *>();
    if (Others.empty())
      continue;
    const std::string Text =
        sentence(event(V.Left, V.Exit), event(V.Entered, V.Entry), Others);
    if (F.Blamed.empty())
      F.Message = Text + NoOrder;
    else
      F.Notes.push_back(Text);
    F.Blamed.push_back(
        {event(V.Left, V.Exit).What.Thread, begin(V.Left, V.Exit)});
  }
  noteHeld(F, First, Last,
           addresses(Cycles->heldThroughout(
               Units->instances()[Own.Entered].Shape, Own.Exit, Own.Entry)));
  noteView(F, Pattern);
  add(std::move(F), S);
}
