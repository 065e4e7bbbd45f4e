//===- Guard.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/Guard.h"
#include <algorithm>

using namespace atsan::trace;

static bool isOfMemory(EventKind K) { return K <= EventKind::Death; }

static bool namesThread(EventKind K) {
  return K == EventKind::Start || K == EventKind::Join;
}

bool Guard::isOdd(const Event &E) {
  uint64_t Thread = E.Thread;
  if (namesThread(E.Kind) && E.Address > Thread)
    Thread = E.Address;
  if (Thread >= Known + MaxGap) {
    Problem = "thread number " + std::to_string(Thread) +
              " does not follow those before it";
    return true;
  }
  Known = std::max(Known, Thread + 1);
  if (isOfMemory(E.Kind)) {
    if (E.Size && E.Size - 1 > UINT64_MAX - E.Address) {
      Problem = std::to_string(E.Size) +
                " bytes do not fit between the address and the end of memory";
      return true;
    }
  } else if (static_cast<unsigned>(E.Kind) >= NumEventKinds) {
    Problem = "there is no kind of event number " +
              std::to_string(static_cast<unsigned>(E.Kind));
    return true;
  }
  return false;
}

EventSpan Guard::pass(EventSpan Events) {
  if (!Problem.empty())
    return {};
  for (size_t I = 0; I < Events.Count; ++I)
    if (!isPlain(Events.Data[I]) && isOdd(Events.Data[I])) {
      Problem = "event " + std::to_string(Count + I + 1) + ": " + Problem +
                "; the trace is damaged, record it again";
      return {Events.Data, I};
    }
  Count += Events.Count;
  return Events;
}
