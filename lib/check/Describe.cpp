//===- Describe.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Describe.h"
#include "lib/check/Violations.h"
#include "lib/finding/Identity.h"
#include "lib/finding/Places.h"
#include "lib/finding/Words.h"
#include "lib/trace/EventText.h"

using namespace atsan::check;
using atsan::trace::EventKind;
namespace finding = atsan::finding;

namespace {

class Describer {
public:
  Describer(const Finding &F, const Words &W, const std::string &Trace)
      : F(F), W(W), Trace(Trace) {}

  finding::Finding describe();

private:
  uint64_t thread(uint32_t Number);
  size_t memory(const NumberedEvent &E, const char *Kind,
                const std::string &Name);
  size_t region(const NumberedEvent &Begin);
  finding::Stack code(const NumberedEvent &E) const;
  finding::Event event(const NumberedEvent &E);
  void addSteps();
  void addClosing();
  void addWitness();

  const Finding &F;
  const Words &W;
  const std::string &Trace;
  finding::Finding Out;
};

} // namespace

/// Returns the id of a thread, which is added with those that it comes from.
uint64_t Describer::thread(uint32_t Number) {
  const size_t Known = Out.Threads.size();
  const uint64_t Id = Out.threadCalled(W.thread(Number));
  const ThreadOrigin From = W.Explained.origin(Number);
  if (Out.Threads.size() == Known || !From.Start.Number)
    return Id;
  const uint64_t Parent = thread(From.Start.What.Thread);
  Out.Threads[Id].Parent = Parent;
  Out.Threads[Id].Child = From.Which;
  Out.Threads[Id].Creation = code(From.Start);
  return Id;
}

/// Returns the index of what the event is about, by its name, or if that is an
/// address, of the block of the heap that it is in.
size_t Describer::memory(const NumberedEvent &E, const char *Kind,
                         const std::string &Name) {
  const bool IsAddress = atsan::trace::isHexText(Name);
  const HeapBlock *B = IsAddress ? W.Explained.heapBlock(E.Number) : nullptr;
  const std::string Label = B ? W.heapBlock(*B) : Name;
  if (B)
    Kind = "heap";
  for (size_t I = 0; I != Out.Objects.size(); ++I)
    if (Out.Objects[I].Label == Label && Out.Objects[I].Kind == Kind)
      return I;
  finding::Memory New;
  New.Kind = Kind;
  New.Label = Label;
  if (B) {
    New.Address = atsan::trace::hexText(B->Birth.What.Address);
    New.Allocation = code(B->Birth);
  } else if (IsAddress) {
    New.Address = Name;
  }
  Out.Objects.push_back(std::move(New));
  return Out.Objects.size() - 1;
}

/// Text traces have numbers for places, which only their writer understands.
/// The event's number is its line there.
finding::Stack Describer::code(const NumberedEvent &E) const {
  finding::Stack Frames;
  for (const atsan::trace::Frame &From : W.Names.stack(E.What.Location)) {
    finding::Frame New;
    New.Function = From.Function;
    New.File = From.File;
    New.Line = New.File.empty() ? 0 : From.Line;
    New.Column = New.Line ? From.Column : 0;
    New.Module = From.Module;
    if (!New.Module.empty())
      New.Offset = atsan::trace::hexText(From.Offset);
    Frames.push_back(std::move(New));
  }
  if (Frames.empty() && !W.Names.location(E.What.Location).empty())
    Frames.push_back(finding::lineOf(Trace, E.Number));
  return Frames;
}

size_t Describer::region(const NumberedEvent &Begin) {
  for (size_t I = 0; I != Out.Regions.size(); ++I)
    if (Out.Regions[I].Number == Begin.Number)
      return I;
  finding::Region New;
  New.Number = Begin.Number;
  New.Location = W.Names.location(Begin.What.Location);
  New.Name = W.regionName(Begin);
  New.Title = W.title(Begin);
  New.Thread = thread(Begin.What.Thread);
  New.Run = W.run(Begin);
  New.Begin = code(Begin);
  New.Frame = W.frame(Begin);
  Out.Regions.push_back(std::move(New));
  return Out.Regions.size() - 1;
}

finding::Event Describer::event(const NumberedEvent &E) {
  const atsan::trace::Event &V = E.What;
  finding::Event New;
  New.Thread = thread(V.Thread);
  New.Role = W.operation(E);
  New.Number = E.Number;
  if (!E.Number) { // The begin or the end of a thread.
    New.Role = "thread " + New.Role;
    return New;
  }
  switch (V.Kind) {
  case EventKind::Read:
  case EventKind::Write:
  case EventKind::ReadModifyWrite:
  case EventKind::Birth:
  case EventKind::Death:
    New.Access = New.Role;
    New.Role = "access";
    New.Memory = memory(E, "variable", W.Names.variable(V.Address));
    if (!Out.Objects[*New.Memory].Address.empty())
      New.Address = atsan::trace::hexText(V.Address);
    New.IsBegin = true;
    New.Size = V.Size;
    break;
  case EventKind::Acquire:
  case EventKind::Release:
  case EventKind::AcquireShared:
  case EventKind::ReleaseShared:
  case EventKind::TryFailed:
    New.Memory = memory(E, "lock", W.Names.lock(V.Address));
    break;
  case EventKind::Start:
  case EventKind::Join:
    New.Other = thread(V.Address);
    break;
  default:
    break;
  }
  if (const Place *P = W.Explained.find(E.Number)) {
    New.Transaction = P->Transaction;
    if (P->Region.Number)
      New.Region = region(P->Region);
  }
  New.Location = W.Names.location(V.Location);
  New.Frames = code(E);
  return New;
}

void Describer::addSteps() {
  for (const Relation &R : F.Relations)
    // From one step to the next, a cycle goes on in one thread anyway.
    if (Out.isPotential() || R.Why != reason::ProgramOrder)
      Out.Steps.push_back({event(R.First), event(R.Later), R.Why});
}

/// Takes what the finding is, and where, from the event that closes the cycle.
void Describer::addClosing() {
  finding::Identity Hash;
  Hash.add(Out.Kind);
  for (const Relation &R : F.Relations) {
    const NumberedEvent *Closing = nullptr;
    for (const NumberedEvent *E : {&R.Later, &R.First})
      if (!Closing && (!F.Closing || E->Number == F.Closing))
        Closing = E;
    if (!Closing)
      continue;
    const finding::Event E = event(*Closing);
    if (const finding::Frame *At = finding::userFrame(E.Frames))
      Out.Summary = *At;
    if (E.Region) {
      const finding::Region &In = Out.Regions[*E.Region];
      if (In.Name.empty())
        Hash.addCode(In.Begin);
      else
        Hash.add(In.Name);
    }
    const bool IsAccess = E.Role == "access";
    Hash.add(IsAccess ? E.Role : eventWords(Out, E));
    Hash.add(IsAccess ? E.Access : E.Role);
    // Text traces have names for places; other traces the code, here without
    // its lines.
    if (W.Names.stack(Closing->What.Location).empty())
      Hash.add(E.Location);
    else
      Hash.addCode(E.Frames);
    if (IsAccess && E.Address.empty())
      Hash.add(Out.Objects[*E.Memory].Label);
    break;
  }
  Out.Fingerprint = Hash.result('c');
}

void Describer::addWitness() {
  finding::Witness How;
  for (const NumberedEvent &E : F.Order)
    How.Order.push_back(E.Number);
  for (const Relation &R : F.Relations)
    if (R.Why != reason::ProgramOrder && R.First.Number && R.Later.Number)
      How.Constraints.emplace_back(R.First.Number, R.Later.Number);
  for (const ChangedRead &R : F.ChangedReads)
    How.ChangedReads.push_back({R.Read.Number, R.Was.Number, R.Would.Number});
  for (const NumberedEvent &E : F.ChangedTries)
    How.ChangedTries.push_back(E.Number);
  Out.Predicted = std::move(How);
}

finding::Finding Describer::describe() {
  Out.Kind = F.Kind;
  Out.Message = F.Message;
  Out.Shape = F.Shape;
  Out.Notion = F.What == Notion::Violation ? "violation" : "potential";
  Out.Program = Trace;
  Out.Notes = F.Notes;
  addSteps();
  addClosing();
  for (const Transaction &T : F.Blamed)
    if (T.Begin.Number)
      Out.Regions[region(T.Begin)].Blamed = true;
  if (const std::string Verdict = verdictWords(Out);
      !Out.isPotential() && !Verdict.empty())
    Out.Message = Verdict;
  if (!F.Order.empty())
    addWitness();
  return std::move(Out);
}

finding::Finding atsan::check::describe(const Finding &F, const Words &W,
                                        const std::string &Trace) {
  return Describer(F, W, Trace).describe();
}
