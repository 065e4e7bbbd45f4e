//===- Words.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Words.h"
#include "lib/base/CommonFrames.h"
#include "lib/base/Demangled.h"
#include "lib/base/Printable.h"
#include "lib/trace/EventText.h"
#include "lib/trace/ReadableStack.h"
#include <algorithm>
#include <map>
#include <set>

using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;
using atsan::trace::Frame;
using atsan::trace::hexText;
using atsan::trace::isHexText;
using atsan::trace::isOfProgram;

// The name of an event's kind. The begin and the end of a thread have no
// number.
static std::string kindName(const NumberedEvent &E) {
  const Event &W = E.What;
  const std::string Atomic = W.IsAtomic ? "atomic " : "";
  switch (W.Kind) {
  case EventKind::Read:
    return Atomic + "read";
  case EventKind::Write:
    return Atomic + "write";
  case EventKind::ReadModifyWrite:
    return Atomic + "read-modify-write";
  case EventKind::Birth:
    return "birth";
  case EventKind::Death:
    return "death";
  case EventKind::Pointer:
    return "pointer";
  case EventKind::RegionBegin:
    return "region begin";
  case EventKind::RegionEnd:
    return "region end";
  case EventKind::Restart:
    return "restart";
  case EventKind::Acquire:
    return "lock acquire";
  case EventKind::Release:
    return "lock release";
  case EventKind::AcquireShared:
    return "shared lock acquire";
  case EventKind::ReleaseShared:
    return "shared lock release";
  case EventKind::Start:
    return E.Number ? "thread start" : "begin";
  case EventKind::Join:
    return "thread join";
  case EventKind::End:
    return E.Number ? "thread end" : "end";
  case EventKind::BarrierArrive:
    return "barrier arrival";
  case EventKind::BarrierLeave:
    return "barrier departure";
  case EventKind::Wait:
    return "condition wait";
  case EventKind::Signal:
    return W.Size ? "broadcast" : "signal";
  case EventKind::Woken:
    return "wake-up";
  case EventKind::HappensBefore:
  case EventKind::HappensAfter:
    return "annotation of order";
  case EventKind::TryFailed:
    return W.Size == atsan::trace::SemaphoreTry ? "failed try for semaphore"
           : W.Size                             ? "failed try for shared lock"
                                                : "failed try for lock";
  }
  return "event";
}

std::string Words::operation(const NumberedEvent &E) const {
  return kindName(E);
}

/// The innermost place of the program's own code, and who called it: a function
/// that makes objects has many callers.
std::string Words::callers(uint32_t Location) const {
  std::string Text;
  unsigned Places = 0;
  for (const Frame &F : Names.stack(Location)) {
    if (F.File.empty() || !atsan::trace::isOfProgram(F))
      continue;
    Text += (Places ? ", called at " : "") +
            F.File.substr(F.File.rfind('/') + 1) + ":" + std::to_string(F.Line);
    if (++Places == 2)
      break;
  }
  return Places ? Text : Names.location(Location);
}

std::string Words::heapBlock(const HeapBlock &B) const {
  return thread(B.Birth.What.Thread) + "'s heap block " +
         std::to_string(B.Which) + " from " + callers(B.Birth.What.Location);
}

/// What the event is about, by its name; an address is followed by the block
/// that it is in.
std::string Words::object(const NumberedEvent &E,
                          const std::string &Name) const {
  const HeapBlock *B = Explained.heapBlock(E.Number);
  if (!B || !isHexText(Name))
    return Name;
  const uint64_t Byte = E.What.Address - B->Birth.What.Address;
  return Name + " (byte " + std::to_string(Byte) + " of " + heapBlock(*B) + ")";
}

std::string Words::event(const NumberedEvent &E) const {
  const Event &W = E.What;
  std::string Name = kindName(E);
  if (!E.Number)
    return Name + " of " + thread(W.Thread);
  switch (W.Kind) {
  case EventKind::Read:
  case EventKind::Write:
  case EventKind::ReadModifyWrite:
  case EventKind::Birth:
  case EventKind::Death: {
    const std::string Variable = Names.variable(W.Address);
    // A name stands for the whole variable.
    if (!isHexText(Variable))
      return Name + " of " + Variable;
    return Name + " of " + counted(W.Size, "byte") + " at " +
           object(E, Variable);
  }
  case EventKind::Acquire:
  case EventKind::Release:
  case EventKind::AcquireShared:
  case EventKind::ReleaseShared:
    return Name + " of " + object(E, Names.lock(W.Address));
  case EventKind::TryFailed:
    return Name + " " + object(E, Names.lock(W.Address));
  case EventKind::Start:
  case EventKind::Join:
    return Name + " of " + thread(W.Address);
  default:
    return Name;
  }
}

using Stack = std::vector<Frame>;

/// How many of the outermost frames are the same in both stacks.
static size_t countCommon(const Stack &Begin, const Stack &Access) {
  const auto IsSamePlace = [](const Frame &A, const Frame &B) {
    return A.Line && B.Line ? A.Line == B.Line && A.Column == B.Column
                            : A.Module == B.Module && A.Offset == B.Offset;
  };
  return atsan_frames::CommonFrames(
      Begin.size(), Access.size(),
      [&](size_t I, size_t J) {
        return !Begin[I].Function.empty() &&
               Begin[I].Function == Access[J].Function;
      },
      [&](size_t I, size_t J) { return IsSamePlace(Begin[I], Access[J]); });
}

/// Finds the functions that regions are of: one that locks for others has
/// returned by the time of the accesses.
void Words::findFrames(const Finding &F) {
  struct Region {
    Stack Begin;
    size_t Common; ///< Frames that are on the stack of each access, too.
  };
  std::map<uint64_t, Region> Regions;
  for (const Relation &R : F.Relations)
    for (const NumberedEvent *E : {&R.First, &R.Later})
      if (const Place *P = Explained.find(E->Number);
          P && P->Region.Number && regionName(P->Region).empty()) {
        Region &In = Regions[P->Region.Number];
        if (In.Begin.empty()) {
          In.Begin = Names.stack(P->Region.What.Location);
          In.Common = In.Begin.size();
        }
        In.Common = std::min(
            In.Common, countCommon(In.Begin, Names.stack(E->What.Location)));
      }
  Frames.clear();
  for (const auto &[Number, In] : Regions) {
    const auto Inner =
        std::find_if(In.Begin.begin(), In.Begin.end(), isOfProgram);
    const auto Last =
        std::find_if(In.Begin.end() - static_cast<ptrdiff_t>(In.Common),
                     In.Begin.end(), isOfProgram);
    if (Last != Inner && Last != In.Begin.end())
      Frames[Number] = Last - In.Begin.begin();
  }
}

std::optional<size_t> Words::frame(const NumberedEvent &Begin) const {
  auto I = Frames.find(Begin.Number);
  return I == Frames.end() ? std::nullopt : std::optional(I->second);
}

void Words::speakOf(const Finding &F) {
  findFrames(F);
  std::map<std::pair<uint32_t, std::string>, std::set<uint64_t>> Alike;
  for (const Relation &R : F.Relations)
    for (const NumberedEvent *E : {&R.First, &R.Later})
      if (const Place *P = Explained.find(E->Number))
        if (P->Region.Number)
          Alike[{P->Region.What.Thread, title(P->Region)}].insert(
              P->Region.Number);
  Runs.clear();
  for (const auto &Group : Alike) {
    unsigned Run = 0;
    if (Group.second.size() > 1)
      for (uint64_t Begin : Group.second)
        Runs[Begin] = ++Run;
  }
}

unsigned Words::run(const NumberedEvent &Begin) const {
  auto I = Runs.find(Begin.Number);
  return I == Runs.end() ? 0 : I->second;
}

std::string Words::region(const NumberedEvent &Begin) const {
  const unsigned Run = run(Begin);
  return title(Begin) + (Run ? " (run " + std::to_string(Run) + ")" : "");
}

std::string Words::regionName(const NumberedEvent &Begin) const {
  return atsan::demangled(Names.region(Begin.What.Address));
}

std::string Words::title(const NumberedEvent &Begin) const {
  const std::string Name = regionName(Begin);
  if (!Name.empty())
    return "region '" + atsan_text::Printable(Name) + "'";
  const std::optional<size_t> In = frame(Begin);
  const std::string Place =
      In ? trace::shortPlace(Names.stack(Begin.What.Location)[*In])
         : Names.location(Begin.What.Location);
  if (!Place.empty())
    return "region at " + Place;
  return "region of event " + std::to_string(Begin.Number);
}

std::string Words::eventInPlace(const NumberedEvent &E) const {
  if (!E.Number)
    return event(E);
  std::string Text = "event " + std::to_string(E.Number) + ", " + event(E) +
                     " by " + thread(E.What.Thread);
  const Place *P = Explained.find(E.Number);
  if (!P)
    return Text;
  return Text + (P->Region.Number ? ", in " + region(P->Region)
                                  : ", outside any region");
}

std::string Words::unit(const NumberedEvent &E, bool WithThread) const {
  const Place *P = Explained.find(E.Number);
  const std::string Owner = WithThread ? thread(E.What.Thread) + "'s " : "";
  if (P && P->Region.Number)
    return Owner + region(P->Region);
  return (WithThread ? Owner : "its ") + kindName(E);
}

static std::string frameText(const Frame &F, size_t Number) {
  std::string Text = "#" + std::to_string(Number) + " ";
  Text += F.Function.empty() ? "in an unknown function" : F.Function;
  if (!F.File.empty()) {
    Text += " " + F.File;
    if (F.Line)
      Text += ":" + std::to_string(F.Line);
    if (F.Line && F.Column)
      Text += ":" + std::to_string(F.Column);
  }
  if (!F.Module.empty())
    Text += " (" + F.Module.substr(F.Module.rfind('/') + 1) + "+" +
            hexText(F.Offset) + ")";
  return Text;
}

std::vector<std::string> Words::code(const NumberedEvent &E) const {
  std::vector<std::string> Lines;
  if (!E.Number)
    return Lines;
  for (const Frame &F : Names.stack(E.What.Location))
    Lines.push_back(frameText(F, Lines.size()));
  if (!Lines.empty())
    return Lines;
  const std::string Place = Names.location(E.What.Location);
  Lines.push_back(Place.empty() ? "[no place in the code was recorded]"
                                : "at " + Place);
  return Lines;
}
