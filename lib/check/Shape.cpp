//===- Shape.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/check/Shape.h"

using namespace atsan;
using namespace atsan::check;
using atsan::trace::Event;
using atsan::trace::EventKind;

static bool onlyReads(const Event &E) { return E.Kind == EventKind::Read; }
static bool onlyWrites(const Event &E) { return E.Kind == EventKind::Write; }
static bool writes(const Event &E) { return trace::writes(E.Kind); }
static bool isAccess(const Event &E) { return trace::isAccess(E.Kind); }

static bool overlap(const Event &A, const Event &B) {
  return A.Address < B.Address + B.Size && B.Address < A.Address + A.Size;
}

/// How a region that reads first was interrupted.
static std::string shapeOfReader(const Event &First, const Event &In,
                                 const Event &Out, const Event &Last) {
  if (overlap(First, Last))
    return onlyWrites(Last) && writes(In) && overlap(In, Last)
               ? "lost update"
               : "check-then-act";
  if (onlyReads(Last))
    return writes(Out) ? "torn read" : "";
  return "check-then-act";
}

std::string atsan::check::shapeOf(const Finding &F) {
  if (F.Blamed.size() != 1 || F.Relations.empty())
    return "";
  const Event &First = F.Relations.front().First.What;
  const Event &In = F.Relations.front().Later.What;
  const Event &Out = F.Relations.back().First.What;
  const Event &Last = F.Relations.back().Later.What;
  if (trace::isRelease(First.Kind) && trace::isAcquire(Last.Kind) &&
      First.Address == Last.Address)
    return "lock released too early";
  if (!isAccess(First) || !isAccess(In) || !isAccess(Out) || !isAccess(Last))
    return "";
  if (onlyReads(First))
    return shapeOfReader(First, In, Out, Last);
  return onlyReads(In) && onlyReads(Out) && writes(Last) ? "dirty read" : "";
}
