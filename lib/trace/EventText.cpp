//===- EventText.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/EventText.h"
#include "lib/base/Printable.h"
#include <cstdio>

using namespace atsan::trace;

static constexpr const char *KindNames[] = {
    "read",    "write",          "read-modify-write", "birth",     "death",
    "pointer", "region-begin",   "region-end",        "restart",   "acquire",
    "release", "acquire-shared", "release-shared",    "start",     "join",
    "end",     "barrier-arrive", "barrier-leave",     "wait",      "signal",
    "woken",   "happens-before", "happens-after",     "try-failed"};
static_assert(std::size(KindNames) == NumEventKinds, "a name for each kind");

const char *atsan::trace::kindName(EventKind K) {
  return KindNames[static_cast<unsigned>(K)];
}

std::optional<EventKind> atsan::trace::kindOf(const std::string &Name) {
  for (unsigned I = 0; I < NumEventKinds; ++I)
    if (Name == KindNames[I])
      return static_cast<EventKind>(I);
  return std::nullopt;
}

std::string atsan::trace::hexText(uint64_t Number) {
  char Text[24];
  std::snprintf(Text, sizeof(Text), "0x%llx",
                static_cast<unsigned long long>(Number));
  return Text;
}

bool atsan::trace::isHexText(const std::string &Name) {
  return Name.compare(0, 2, "0x") == 0;
}

std::string atsan::trace::objectText(const Event &E, const Names &Known) {
  switch (E.Kind) {
  case EventKind::Read:
  case EventKind::Write:
  case EventKind::ReadModifyWrite:
  case EventKind::Birth:
  case EventKind::Death:
    return Known.variable(E.Address) + " (" + std::to_string(E.Size) +
           (E.Size == 1 ? " byte" : " bytes") +
           (E.IsFailedExchange ? ", failed compare-exchange)"
            : E.IsAtomic       ? ", atomic)"
            : E.IsStack        ? ", stack)"
                               : ")");
  case EventKind::Pointer:
    return (E.Address ? Known.variable(E.Address) : "the next thread") +
           " has a pointer to " + hexText(E.Size);
  case EventKind::RegionBegin:
  case EventKind::RegionEnd: {
    const std::string Name = E.Address ? Known.region(E.Address) : "";
    return Name.empty() ? Name : "'" + atsan_text::Printable(Name) + "'";
  }
  case EventKind::Acquire:
  case EventKind::Release:
  case EventKind::AcquireShared:
  case EventKind::ReleaseShared:
    return "lock " + Known.lock(E.Address);
  case EventKind::TryFailed:
    return (E.Size == SemaphoreTry ? "semaphore " : "lock ") +
           Known.lock(E.Address) + (E.Size == SharedTry ? " (shared)" : "");
  case EventKind::Start:
  case EventKind::Join:
    return Known.thread(static_cast<uint32_t>(E.Address));
  case EventKind::BarrierArrive:
    if (E.Size)
      return hexText(E.Address) + " (of " + std::to_string(E.Size) +
             (E.Size == 1 ? " thread)" : " threads)");
    [[fallthrough]];
  case EventKind::BarrierLeave:
  case EventKind::Wait:
  case EventKind::Woken:
  case EventKind::HappensBefore:
  case EventKind::HappensAfter:
    return hexText(E.Address);
  case EventKind::Signal:
    return hexText(E.Address) + (E.Size ? " (all)" : "");
  case EventKind::Restart:
  case EventKind::End:
    break;
  }
  return std::string();
}

std::string atsan::trace::frameText(const Frame &F) {
  std::string Result = F.Function;
  const auto Add = [&Result](const std::string &Part) {
    Result += (Result.empty() ? "" : " ") + Part;
  };
  if (!F.File.empty())
    Add(F.File + (F.Line ? ":" + std::to_string(F.Line) : "") +
        (F.Line && F.Column ? ":" + std::to_string(F.Column) : ""));
  else if (!F.Module.empty())
    Add("(" + F.Module + "+" + hexText(F.Offset) + ")");
  return Result.empty() ? "?" : Result;
}
