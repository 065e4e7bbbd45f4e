//===- StdWriter.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/StdWriter.h"

using namespace atsan::trace;

/// The name without what the grammar does not allow in it.
static std::string plainName(std::string Name) {
  for (char &C : Name)
    if (static_cast<unsigned char>(C) <= ' ' || C == 0x7f || C == '|')
      C = '_';
  return Name;
}

std::string StdWriter::Distinct::name(const std::string &Wanted) {
  const std::string Base = Wanted.empty() ? "_" : plainName(Wanted);
  uint64_t &Tried = Taken[Base];
  std::string Result = Base;
  while (Tried++)
    if (Result = Base + "~" + std::to_string(Tried); !Taken.count(Result))
      break;
  if (Result != Base)
    Taken.emplace(Result, 1);
  return Result;
}

StdWriter::Thread &StdWriter::thread(uint32_t Number) {
  if (Number >= Threads.size())
    Threads.resize(size_t(Number) + 1);
  Thread &T = Threads[Number];
  if (T.Name.empty())
    T.Name = DistinctThreads.name(Known.thread(Number));
  return T;
}

void StdWriter::line(const Event &E, const char *Operation,
                     const std::string &Operand, std::string &Text) {
  Thread &T = thread(E.Thread);
  T.IsInText = true;
  Text += T.Name;
  Text += '|';
  Text += Operation;
  if (!Operand.empty()) {
    Text += '(';
    Text += Operand;
    Text += ')';
  }
  Text += '|';
  // RAPID's locations are Java's int.
  Text += std::to_string(static_cast<int32_t>(E.Location));
  Text += '\n';
}

void StdWriter::region(const Event &E, const char *Operation, uint64_t Name,
                       std::string &Text) {
  line(E, Operation, Name ? plainName(Known.region(Name)) : std::string(),
       Text);
}

void StdWriter::endAll(const Event &E, std::string &Text) {
  const std::vector<uint64_t> &Open = thread(E.Thread).Regions;
  for (auto I = Open.rbegin(); I != Open.rend(); ++I)
    region(E, "end", *I, Text);
}

void StdWriter::beginAll(const Event &E, std::string &Text) {
  for (uint64_t Name : thread(E.Thread).Regions)
    region(E, "begin", Name, Text);
}

void StdWriter::access(const Event &E, std::string &Text) {
  // Outside regions, several variables must stay one transaction.
  const bool IsWrapped = Touched.size() > 1 && thread(E.Thread).Regions.empty();
  if (IsWrapped)
    region(E, "begin", 0, Text);
  for (const auto &[Is, Operation] :
       {std::pair(reads(E.Kind), "r"), std::pair(writes(E.Kind), "w")})
    for (size_t Variable : Touched) {
      if (!Is)
        break;
      std::string &Name = VariableNames[Variable];
      if (Name.empty())
        Name =
            DistinctVariables.name(Known.variable(Variables.address(Variable)));
      line(E, Operation, Name, Text);
    }
  if (IsWrapped)
    region(E, "end", 0, Text);
}

const std::string &StdWriter::lockName(uint64_t Address) {
  std::string &Name = LockNames[Address];
  if (Name.empty())
    Name = DistinctLocks.name(Known.lock(Address));
  return Name;
}

void StdWriter::startOrJoin(const Event &E, std::string &Text) {
  const bool IsStart = E.Kind == EventKind::Start;
  const bool IsBoundary = IsStart ? Options.SplitStart : Options.SplitJoin;
  Thread &Other = thread(static_cast<uint32_t>(E.Address));
  if (Other.HasRun && !Other.IsInText && E.Address != E.Thread) {
    // All that the thread did is nothing here; but a thread that joins it must
    // know it.
    Event Nothing = E;
    Nothing.Thread = static_cast<uint32_t>(E.Address);
    region(Nothing, "begin", 0, Text);
    region(Nothing, "end", 0, Text);
  }
  Other.IsInText = true;
  if (IsBoundary)
    endAll(E, Text);
  line(E, IsStart ? "fork" : "join", Other.Name, Text);
  if (IsBoundary)
    beginAll(E, Text);
}

bool StdWriter::write(const Event &E, std::string &Text) {
  ++Count;
  if (!Options.Lenient) {
    const Complaint C = Order.take(E);
    const bool IsOfLock =
        C == Complaint::ReleaseOfUnheld || C == Complaint::AcquireOfHeld;
    if (C != Complaint::None)
      return refuse(describe(C, E, Known) + "; no run is like that" +
                    (IsOfLock ? ", unless it is a semaphore, which text does "
                                "not know"
                              : "") +
                    ". Accept it with --lenient");
  }
  Variables.follow(E, Touched);
  thread(E.Thread).HasRun = true;
  switch (E.Kind) {
  case EventKind::Read:
  case EventKind::Write:
  case EventKind::ReadModifyWrite:
    access(E, Text);
    break;
  case EventKind::Birth:
  case EventKind::Death:
  case EventKind::Pointer:
  case EventKind::Signal:
  case EventKind::Woken:
  case EventKind::HappensBefore:
  case EventKind::HappensAfter:
  case EventKind::TryFailed:
    break;
  case EventKind::RegionBegin:
    thread(E.Thread).Regions.push_back(E.Address);
    region(E, "begin", E.Address, Text);
    break;
  case EventKind::RegionEnd: {
    region(E, "end", E.Address, Text);
    std::vector<uint64_t> &Open = thread(E.Thread).Regions;
    if (!Open.empty())
      Open.pop_back();
    break;
  }
  case EventKind::Acquire:
    line(E, "acq", lockName(E.Address), Text);
    break;
  case EventKind::Release:
    line(E, "rel", lockName(E.Address), Text);
    break;
  case EventKind::AcquireShared:
  case EventKind::ReleaseShared:
    if (!Options.DropSharedLocks)
      return refuse("a shared lock, which STD text cannot say; leave them out "
                    "with --drop=shared-locks (it changes nothing without "
                    "--lock-edges)");
    break;
  case EventKind::Start:
  case EventKind::Join:
    startOrJoin(E, Text);
    break;
  case EventKind::End:
    endAll(E, Text);
    thread(E.Thread).Regions.clear();
    break;
  case EventKind::BarrierArrive:
  case EventKind::BarrierLeave:
  case EventKind::Wait:
    if (E.Kind == EventKind::Wait ? !Options.SplitWait : !Options.SplitBarrier)
      break;
    [[fallthrough]];
  case EventKind::Restart:
    endAll(E, Text);
    beginAll(E, Text);
    break;
  }
  return true;
}

bool StdWriter::refuse(const std::string &Why) {
  Error = "event " + std::to_string(Count) + ": " + Why;
  return false;
}
