//===-- UnitSupport.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The seams of the checker, and the one function that sanitizer_common wants
// from every tool.
//
//===----------------------------------------------------------------------===//

#include "UnitSupport.h"

#include "lib/checker/atsan_mixed_loc.h"
#include "sanitizer_common/sanitizer_stacktrace.h"
#include <cassert>

namespace atsan_test {

static SeamListener *Listener;

__atsan::LocId SeamListener::intern(__atsan::CheckerThread *,
                                    const __atsan::AccessPoint &At) {
  return At.pc;
}

ListenHere::ListenHere(SeamListener &L) {
  assert(!Listener);
  Listener = &L;
}
ListenHere::~ListenHere() { Listener = nullptr; }

static void freshCells() {
  __atsan::CheckerReset();
  __atsan::MixedLocsReset();
}

// Options can only change when nothing is known.
static void init(const __atsan::CheckerOptions *Options) {
  static bool Initialized;
  if (Initialized)
    freshCells();
  Initialized = true;
  if (Options)
    __atsan::CheckerInit(*Options);
  else
    __atsan::CheckerInit();
}

static __atsan::u32 LastSlots;

void freshChecker(__atsan::u32 MaxSlots, __atsan::TxnIndex MaxIndex) {
  static __atsan::TxnIndex LastIndex;
  if (LastSlots != MaxSlots || LastIndex != MaxIndex) {
    __atsan::CheckerOptions Options = {MaxSlots, MaxIndex};
    init(&Options);
    LastSlots = MaxSlots;
    LastIndex = MaxIndex;
  }
  freshCells();
}

void freshChecker() {
  static bool Initialized;
  if (!Initialized || LastSlots) {
    init(nullptr);
    Initialized = true;
    LastSlots = 0;
  }
  freshCells();
}

bool gateIsOpen() { return __atomic_load_n(&__atsan_gate, __ATOMIC_RELAXED); }

} // namespace atsan_test

namespace __atsan {

LocId InternLocation(CheckerThread *thr, const AccessPoint &at, AccessKind,
                     uptr) {
  return atsan_test::Listener ? atsan_test::Listener->intern(thr, at) : at.pc;
}

// Locations are what the tests make them.
void OnRegionEntered(CheckerThread *) {}

void OnViolation(CheckerThread *thr, const Cycle &cycle) {
  assert(atsan_test::Listener && "a violation that no test waits for");
  atsan_test::Listener->violation(thr, cycle);
}

} // namespace __atsan

void __sanitizer::BufferedStackTrace::UnwindImpl(uptr pc, uptr, void *, bool,
                                                 u32) {
  trace_buffer[0] = pc;
  size = 1;
}
