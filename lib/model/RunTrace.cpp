//===- RunTrace.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "lib/model/RunTrace.h"
#include <algorithm>
#include <utility>

using namespace atsan::model;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

// Addresses of variables and locks, and names of regions, are their numbers,
// apart from each other. Each variable is a granule.
constexpr uint64_t GranuleBytes = 8;

} // namespace

RunTrace::RunTrace(const Program &P,
                   const std::vector<std::string> &ThreadNames,
                   const std::vector<Action> &Run, std::string File)
    : P(P), ThreadNames(ThreadNames), File(std::move(File)),
      Depth(ThreadNames.size()), FailedExchange(ThreadNames.size()) {
  for (const Action &A : Run)
    if (!A.HasFailed)
      convert(A);
}

void RunTrace::add(const Action &A, EventKind Kind, uint64_t Object) {
  Places.push_back({A.What->At, A.Thread});
  Event E;
  E.Kind = Kind;
  E.Thread = A.Thread;
  E.Address = Object;
  E.Size = 0;
  E.Location = Places.size();
  if (Kind == EventKind::Read || Kind == EventKind::Write ||
      Kind == EventKind::ReadModifyWrite) {
    E.Address = Object * GranuleBytes;
    E.Size = GranuleBytes;
  }
  Events.push_back(E);
}

void RunTrace::convert(const Action &A) {
  const bool IsData = A.Object < P.Variables.size() &&
                      P.Variables[A.Object].Is == Storage::Data;
  switch (A.What->Is) {
  case Edge::Kind::Begin:
    ++Depth[A.Thread];
    return add(A, EventKind::RegionBegin, A.What->Number + 1);
  case Edge::Kind::End:
    --Depth[A.Thread];
    return add(A, EventKind::RegionEnd, 0);
  case Edge::Kind::Restart:
    if (const size_t Number = std::exchange(FailedExchange[A.Thread], 0))
      Events[Number - 1].IsFailedExchange = true;
    return add(A, EventKind::Restart, 0);
  case Edge::Kind::StepBegin:
    if (!Depth[A.Thread])
      add(A, EventKind::RegionBegin, P.Regions.size() + 1);
    return;
  case Edge::Kind::StepEnd:
    if (!Depth[A.Thread])
      add(A, EventKind::RegionEnd, 0);
    return;
  case Edge::Kind::Read:
    FailedExchange[A.Thread] = 0;
    if (IsData)
      add(A, EventKind::Read, A.Object);
    return;
  case Edge::Kind::Write:
    FailedExchange[A.Thread] = 0;
    if (IsData)
      add(A, EventKind::Write, A.Object);
    return;
  case Edge::Kind::Cas:
    if (IsData)
      add(A, A.IsWrite ? EventKind::ReadModifyWrite : EventKind::Read,
          A.Object);
    FailedExchange[A.Thread] = IsData && !A.IsWrite ? Events.size() : 0;
    return;
  case Edge::Kind::Invoke:
    ++Depth[A.Thread];
    return add(A, EventKind::RegionBegin,
               P.Regions.size() + 2 + 2 * A.What->Number + A.What->IsWrite);
  case Edge::Kind::Return:
    --Depth[A.Thread];
    return add(A, EventKind::RegionEnd, 0);
  case Edge::Kind::Acquire:
    return add(A, EventKind::Acquire, A.Object);
  case Edge::Kind::Release:
    return add(A, EventKind::Release, A.Object);
  default:
    return;
  }
}

atsan::trace::EventSpan RunTrace::next() {
  if (WasRead)
    return {};
  WasRead = true;
  return {Events.data(), Events.size()};
}

std::string RunTrace::thread(uint32_t Thread) const {
  return Thread < ThreadNames.size() ? ThreadNames[Thread] : "";
}

std::string RunTrace::variable(uint64_t Address) const {
  const uint64_t Number = Address / GranuleBytes;
  return Number < P.Variables.size() ? P.Variables[Number].Name : "";
}

std::string RunTrace::lock(uint64_t Address) const {
  return Address < P.Locks.size() ? P.Locks[Address].Name : "";
}

std::string RunTrace::region(uint64_t Name) const {
  if (Name == P.Regions.size() + 1)
    return "step";
  if (Name > P.Regions.size() + 1) {
    const uint64_t Operation = Name - P.Regions.size() - 2;
    return P.Registers[Operation / 2].Name +
           (Operation % 2 ? ".write" : ".read");
  }
  return Name && Name <= P.Regions.size() ? P.Regions[Name - 1].Name : "";
}

std::vector<atsan::trace::Frame> RunTrace::stack(uint32_t Location) const {
  if (!Location || Location > Places.size())
    return {};
  const Place &At = Places[Location - 1];
  trace::Frame F;
  F.Function = ThreadNames[At.Thread];
  F.File = File;
  F.Line = At.At.Line;
  F.Column = At.At.Column;
  return {F};
}

std::string RunTrace::location(uint32_t Location) const {
  const auto Frames = stack(Location);
  return Frames.empty() ? ""
                        : File + ":" + std::to_string(Frames[0].Line) + ":" +
                              std::to_string(Frames[0].Column);
}

namespace {

std::string valueText(const Range &Of, Value V) {
  return Of.IsBool ? (V ? "true" : "false") : std::to_string(V);
}

std::string actionText(const Program &P, const Action &A, bool HasValues) {
  const Edge &E = *A.What;
  if (A.HasFailed)
    return E.Is == Edge::Kind::Assert ? "assert" : "fails";
  auto Variable = [&] { return P.Variables[A.Object].Name; };
  auto Shown = [&] {
    return HasValues ? ": " + valueText(P.Variables[A.Object].Of, A.Result)
                     : std::string();
  };
  auto Region = [&] {
    const std::string &Name = P.Regions[E.Number].Name;
    return Name.empty() ? std::string("region") : "region '" + Name + "'";
  };
  switch (E.Is) {
  case Edge::Kind::Begin:
    return Region() + " begins";
  case Edge::Kind::End:
    return Region() + " ends";
  case Edge::Kind::Restart:
    return "the attempt is given up";
  case Edge::Kind::StepBegin:
    return "step begins";
  case Edge::Kind::StepEnd:
    return "step ends";
  case Edge::Kind::Read:
    return "reads " + Variable() + Shown();
  case Edge::Kind::Write:
    if (isRegister(P.Variables[A.Object]))
      return (A.IsSecond ? "has written " : "begins to write ") + Variable() +
             Shown();
    return "writes " + Variable() + Shown();
  case Edge::Kind::Cas:
    return "cas of " + Variable() + (A.IsWrite ? " succeeds" : " fails");
  case Edge::Kind::Acquire:
    return "acquires " + P.Locks[A.Object].Name;
  case Edge::Kind::Release:
    return "releases " + P.Locks[A.Object].Name;
  case Edge::Kind::Choose:
    return "chooses " + std::to_string(A.Result);
  case Edge::Kind::Invoke: {
    const Register &R = P.Registers[E.Number];
    return R.Name +
           (E.IsWrite ? ".write(" + valueText(R.Of, A.Result) + ")"
                      : ".read()") +
           " begins";
  }
  case Edge::Kind::Return: {
    const Register &R = P.Registers[E.Number];
    return R.Name + (E.IsWrite ? ".write ends"
                               : ".read returns " + valueText(R.Of, A.Result));
  }
  case Edge::Kind::Set:
    return "computes " + std::to_string(A.Result);
  default:
    return "goes on";
  }
}

} // namespace

std::string
atsan::model::scheduleText(const Program &P,
                           const std::vector<std::string> &ThreadNames,
                           const std::vector<Action> &Run, bool HasValues) {
  size_t Width = 0;
  for (const std::string &Name : ThreadNames)
    Width = std::max(Width, Name.size());
  std::string Text;
  size_t Number = 0;
  for (const Action &A : Run) {
    const std::string Count =
        A.BeginsStep ? std::to_string(++Number) + ". " : "";
    const std::string &Name = ThreadNames[A.Thread];
    Text += "  ";
    Text.append(Count.size() < 5 ? 5 - Count.size() : 0, ' ');
    Text.append(Count).append(Name);
    Text.append(Width - Name.size(), ' ');
    Text.append("  line ").append(std::to_string(A.What->At.Line));
    Text.append(A.IsInStep ? ":   " : ": ").append(actionText(P, A, HasValues));
    Text += '\n';
  }
  return Text;
}

std::string atsan::model::faultText(const Program &P, Fault F,
                                    const Action &Last) {
  const Edge &E = *Last.What;
  const std::string At = "line " + std::to_string(E.At.Line);
  switch (F) {
  case Fault::Assertion:
    return "the assert in " + At + " can fail";
  case Fault::Type:
    return "in " + At + " the value " + std::to_string(Last.Result) +
           " does not fit " +
           (E.Is == Edge::Kind::Write || E.Is == Edge::Kind::Cas
                ? P.Variables[Last.Object].Name
                : "the variable");
  case Fault::Element:
    return "in " + At + " an index is outside of the array";
  case Fault::Arithmetic:
    return "in " + At +
           " an expression has no value (a division by 0, or more "
           "than 32 bits)";
  case Fault::NotHeld:
    return "in " + At + " a lock is released that the thread does not have";
  case Fault::None:
    break;
  }
  return "";
}
