//===- BlocksFinding.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a cycle that blocks have becomes a finding: its schedule, its steps, and
// the words for them.
//
//===----------------------------------------------------------------------===//

#include "lib/check/Blocks.h"
#include "lib/check/Violations.h"
#include <algorithm>
#include <cstdio>
#include <map>

using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;

static const char NoOrder[] = ", and no order of whole regions explains that";

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
std::string Blocks::sentence(const NumberedEvent &First,
                             const NumberedEvent &Last,
                             const std::vector<NumberedEvent> &Between) const {
  std::string Text;
  for (size_t I = 0, End; I < Between.size(); I = End) {
    const uint32_t Thread = Between[I].What.Thread;
    std::string Numbers;
    for (End = I; End < Between.size() && Between[End].What.Thread == Thread;
         ++End)
      Numbers.append(End == I ? "" : ", ")
          .append(std::to_string(Between[End].Number));
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

/// Is the event the begin or end of a thread, with the number of its start or
/// join?
static bool isOfThread(const Event &E) {
  return !isAccess(E.Kind) && E.Address == E.Thread;
}

/// The event as relations show it: the begin or end of a thread has no number.
static NumberedEvent shown(NumberedEvent E) {
  if (!isOfThread(E.What))
    return E;
  E.Number = 0;
  if (E.What.Kind == EventKind::Join)
    E.What.Kind = EventKind::End;
  return E;
}

static const char *reasonFor(const Event &First, const Event &Later) {
  if (First.Thread == Later.Thread)
    return reason::ProgramOrder;
  return First.Kind == EventKind::Start  ? reason::ThreadStart
         : First.Kind == EventKind::Join ? reason::ThreadJoin
                                         : reason::Conflict;
}

/// "event 7: T1 writes x at f.c:12".
std::string Blocks::what(const NumberedEvent &E) const {
  const Event &A = E.What;
  if (!isAccess(A.Kind)) {
    const bool IsStart = A.Kind == EventKind::Start;
    return "event " + std::to_string(E.Number) + ": " + thread(A.Thread) +
           (isOfThread(A) ? (IsStart ? " begins" : " has ended")
                          : (IsStart ? " starts " : " joins ") +
                                thread(uint32_t(A.Address)));
  }
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
  // View equivalence knows no starts and joins.
  if (std::all_of(Pattern.begin(), Pattern.end(),
                  [](const ViewAccess &A) { return isAccess(A.What.Kind); }) &&
      isViewSerializable(Pattern))
    F.Notes.push_back("View equivalence: these accesses alone read and leave "
                      "what they do in a serial order; it takes another one to "
                      "tell the difference");
}

void Blocks::add(Finding F, const Site &S) {
  F.What = Notion::Potential;
  F.Kind = "unserializable-pattern";
  for (const Relation &R : F.Relations)
    F.Closing = std::max({F.Closing, R.First.Number, R.Later.Number});
  noteSchedule(F);
  Sites.insert(S);
  Found.push_back(std::move(F));
}

bool Blocks::report(const OneVariableBlocks::Pattern &P) {
  const Site S = siteOf(P.Begin, P.Last);
  if (!wanted(S))
    return true;
  load();
  Finding F;
  if (!confirm({{P.First.What.Thread, P.Last, P.First},
                {P.Between.What.Thread, P.Between, P.Between}},
               false, F.Schedule))
    return false;
  F.Message = sentence(P.First, P.Last, {P.Between}) + NoOrder;
  F.Blamed.push_back({P.First.What.Thread, P.Begin});
  F.Relations.push_back({P.First, P.Between, reason::Conflict});
  F.Relations.push_back({P.Between, P.Last, reason::Conflict});
  F.Order = {P.First, P.Between, P.Last};
  noteAccess(F, P.First, OneVariable->sets()[P.HeldFirst]);
  noteAccess(F, P.Between, OneVariable->sets()[P.HeldBetween]);
  noteAccess(F, P.Last, OneVariable->sets()[P.HeldLast]);
  noteHeld(F, P.First, P.Last, OneVariable->sets()[P.HeldThroughout]);
  noteView(F, {{P.First.What, 0}, {P.Between.What, 1}, {P.Last.What, 0}});
  add(std::move(F), S);
  return true;
}

/// The set with the addresses of locks in the place of their numbers.
HeldSets::Set Blocks::addresses(HeldSets::Id Numbers) const {
  HeldSets::Set S = Units->sets()[Numbers];
  for (HeldSets::Member &M : S)
    M.Lock = Units->lockAddress(uint32_t(M.Lock));
  return S;
}

/// Finds a schedule in which the cycle can happen. Turns the cycle so that all
/// other visits come in between of its first one, one after another, if there
/// is such a visit: then nothing but that is proved not to be serializable.
bool Blocks::schedule(std::vector<Visit> &Cycle, Stretches &Schedule) {
  for (size_t I = 0; I < Cycle.size(); ++I) {
    std::vector<Visit> Turned = Cycle;
    std::rotate(Turned.begin(), Turned.begin() + long(I), Turned.end());
    if (!Turned[0].isLeftFirst() || !Cycles->exists(Turned, true) ||
        !confirm(Turned, true, Schedule))
      continue;
    Cycle = std::move(Turned);
    return true;
  }
  return confirm(Cycle, false, Schedule);
}

/// The accesses of the cycle in the order of the schedule.
Blocks::AccessOrder Blocks::orderOf(const std::vector<Visit> &Cycle,
                                    const Stretches &Schedule) const {
  std::vector<std::pair<std::pair<size_t, uint64_t>, BlockSchedule::Access>>
      Places;
  for (size_t I = 0; I < Cycle.size(); ++I) {
    const Visit &V = Cycle[I];
    uint64_t Entry = 0;
    auto Add = [&](const NumberedEvent &E, bool Leaves) {
      size_t At = 0;
      while (Schedule[At].Thread != E.What.Thread ||
             Schedule[At].Last < E.Number)
        ++At;
      Places.push_back({{At, E.Number}, {I, Leaves}});
    };
    if (V.Entry != Visit::None) {
      Add(event(V.Entered, V.Entry), false);
      Entry = event(V.Entered, V.Entry).Number;
    }
    if (V.Exit != Visit::None && event(V.Left, V.Exit).Number != Entry)
      Add(event(V.Left, V.Exit), true);
  }
  std::sort(Places.begin(), Places.end(),
            [](const auto &A, const auto &B) { return A.first < B.first; });
  AccessOrder Order;
  for (const auto &Each : Places)
    Order.push_back(Each.second);
  return Order;
}

std::vector<NumberedEvent> Blocks::between(const std::vector<Visit> &Cycle,
                                           const AccessOrder &Order,
                                           size_t Visit) const {
  std::vector<NumberedEvent> Found;
  bool Inside = false;
  for (const BlockSchedule::Access &A : Order)
    if (A.Visit == Visit)
      Inside = A.Leaves;
    else if (Inside)
      Found.push_back(
          A.Leaves ? event(Cycle[A.Visit].Left, Cycle[A.Visit].Exit)
                   : event(Cycle[A.Visit].Entered, Cycle[A.Visit].Entry));
  return Found;
}

/// The threads of a start or join, in the order that it makes.
static std::pair<uint32_t, uint32_t> threadsOf(const Event &Edge) {
  const auto Other = uint32_t(Edge.Address);
  return Edge.Kind == EventKind::Start ? std::make_pair(Edge.Thread, Other)
                                       : std::make_pair(Other, Edge.Thread);
}

/// Adds the starts and joins that lead from an event to one of another thread.
void Blocks::relateByEdges(Finding &F, const NumberedEvent &From,
                           const NumberedEvent &To) const {
  // By thread, the first edge that leads into it.
  std::map<uint32_t, NumberedEvent> Via = {{From.What.Thread, From}};
  for (const NumberedEvent &E : Edges)
    if (E.Number > From.Number && E.Number <= To.Number &&
        Via.count(threadsOf(E.What).first))
      Via.emplace(threadsOf(E.What).second, E);
  std::vector<NumberedEvent> Way;
  for (uint32_t T = To.What.Thread; T != From.What.Thread;
       T = threadsOf(Way.back().What).first)
    Way.push_back(Via.at(T));
  NumberedEvent At = From;
  auto RunTo = [&](const NumberedEvent &Next) {
    if (!isOfThread(At.What) || !isOfThread(Next.What))
      F.Relations.push_back({shown(At), shown(Next), reason::ProgramOrder});
  };
  for (; !Way.empty(); Way.pop_back()) {
    const NumberedEvent &Edge = Way.back();
    NumberedEvent Other = Edge;
    Other.What.Thread = uint32_t(Edge.What.Address);
    const bool IsStart = Edge.What.Kind == EventKind::Start;
    RunTo(IsStart ? Edge : Other);
    F.Relations.push_back({shown(IsStart ? Edge : Other),
                           shown(IsStart ? Other : Edge),
                           IsStart ? reason::ThreadStart : reason::ThreadJoin});
    At = IsStart ? Other : Edge;
  }
  RunTo(To);
}

/// Adds the steps of the cycle to the finding.
void Blocks::relate(Finding &F, const std::vector<Visit> &Cycle) const {
  std::optional<NumberedEvent> Before;
  for (size_t I = 0; I <= Cycle.size(); ++I) {
    const Visit &V = Cycle[I % Cycle.size()];
    std::optional<NumberedEvent> Entry, Exit;
    if (I && V.Entry != Visit::None)
      Entry = event(V.Entered, V.Entry);
    if (I < Cycle.size() && V.Exit != Visit::None)
      Exit = event(V.Left, V.Exit);
    if (Entry && Before)
      F.Relations.push_back({shown(*Before), shown(*Entry),
                             reasonFor(Before->What, Entry->What)});
    if (Exit && (!Entry || Exit->Number != Entry->Number)) {
      auto Transaction = [&](uint32_t Item) {
        return Units->shapes()[Units->instances()[V.Left].Shape]
            .Items[Item]
            .Transaction;
      };
      const bool SameTransaction = Entry && V.Entered == V.Left &&
                                   Transaction(V.Entry) == Transaction(V.Exit);
      if (Entry && !SameTransaction &&
          !(isOfThread(Entry->What) && isOfThread(Exit->What)))
        F.Relations.push_back(
            {shown(*Entry), shown(*Exit), reason::ProgramOrder});
      if (!Entry && Before)
        relateByEdges(F, *Before, *Exit);
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

/// Notes the whole schedule in the finding, if that is asked for.
void Blocks::noteSchedule(Finding &F) const {
  if (!O.Schedule)
    return;
  F.Notes.push_back("The whole schedule, which was replayed:");
  for (const Stretch &S : F.Schedule)
    F.Notes.push_back("  " + thread(S.Thread) + " runs, up to event " +
                      std::to_string(S.Last));
}

bool Blocks::report(std::vector<Visit> Cycle) {
  load();
  const std::pair<Site, uint32_t> Place = {siteOf(Cycle[0]),
                                           firstPlace(Cycle[0])};
  Finding F;
  if (!schedule(Cycle, F.Schedule))
    return false;
  Explained.insert(Place);
  const AccessOrder Order = orderOf(Cycle, F.Schedule);
  const Visit &Own = Cycle[0];
  const NumberedEvent First = event(Own.Entered, Own.Exit);
  const NumberedEvent Last = event(Own.Entered, Own.Entry);
  const Site S = siteOf(Own);
  if (!wanted(S)) {
    Picked.clear();
    return true; // The cycle was turned to a site that is known.
  }
  relate(F, Cycle);
  std::vector<ViewAccess> Pattern;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> Transactions;
  for (const BlockSchedule::Access &A : Order) {
    const Visit &V = Cycle[A.Visit];
    const uint32_t Instance = A.Leaves ? V.Left : V.Entered;
    const uint32_t Item = A.Leaves ? V.Exit : V.Entry;
    const uint32_t Shape = Units->instances()[Instance].Shape;
    const NumberedEvent E = event(Instance, Item);
    F.Order.push_back(E);
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
    const std::vector<NumberedEvent> Others =
        V.isLeftFirst() ? between(Cycle, Order, I)
                        : std::vector<NumberedEvent>();
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
  Picked.clear();
  return true;
}
