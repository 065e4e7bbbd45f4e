//===-- UnitSupport.h ------------------------------------------*- C++ -*--===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The seams of the checker (atsan_checker.h) for the unit tests: whoever
// listens gets the calls that the runtime would get.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_UNIT_UNITSUPPORT_H
#define ATSAN_UNIT_UNITSUPPORT_H

#include "lib/checker/atsan_checker.h"

namespace atsan_test {

class SeamListener {
public:
  virtual ~SeamListener() = default;
  // By default a location's id is the `pc` of its access point.
  virtual __atsan::LocId intern(__atsan::CheckerThread *Thread,
                                const __atsan::AccessPoint &At);
  virtual void violation(__atsan::CheckerThread *Thread,
                         const __atsan::Cycle &C) = 0;
};

// Listens from here on. Nobody may be listening already.
class ListenHere {
public:
  explicit ListenHere(SeamListener &L);
  ~ListenHere();
};

// Initializes the checker on the first call, and resets it on every one.
// Different options than before are fine.
void freshChecker();
void freshChecker(__atsan::u32 MaxSlots, __atsan::TxnIndex MaxIndex);

// Is some thread inside a region, as an inlined check sees it?
bool gateIsOpen();

} // namespace atsan_test

#endif // ATSAN_UNIT_UNITSUPPORT_H
