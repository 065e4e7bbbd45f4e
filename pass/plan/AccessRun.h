//===- AccessRun.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds accesses that one hook can report: the next ones in program order, to
// the next granules of the runtime's shadow. Inserts nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_PLAN_ACCESSRUN_H
#define ATSAN_PASS_PLAN_ACCESSRUN_H

#include "lib/base/Abi.h"
#include "pass/base/Event.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugLoc.h"

namespace atsan {

/// True if the access cannot straddle two granules.
bool fitsGranule(const Event &E, const llvm::DataLayout &DL);

/// The bytes of one access of the source, of which the event may be several,
/// one behind the other.
uint64_t unitOf(const Event &E);

/// Events, from the first of some on, that one hook can tell: accesses of the
/// same kind and size, every one right behind that before it, and all in the
/// same line of the source.
struct AccessRun {
  size_t Events = 1;       ///< How many these are.
  uint64_t Accesses = 1;   ///< An event may be several.
  uint64_t Unit = 0;       ///< Bytes of each access, if there are several.
  bool OfGranules = false; ///< Each access is to one whole granule.
};

/// The longest run from the first event on. `LocationOf`: what the events'
/// hooks would have as location.
AccessRun
firstRun(llvm::ArrayRef<Event> Events, const llvm::DataLayout &DL,
         llvm::function_ref<llvm::DebugLoc(const Event &)> LocationOf);

/// Whether the access is the next part of the copy of memory that `Parts` is
/// of, right behind it.
bool isNextPart(const Event &Parts, const Event &E, const llvm::DataLayout &DL);

/// Compares lines of the source, but no discriminators, in which copies of an
/// instruction differ.
bool isSameLine(const llvm::DebugLoc &A, const llvm::DebugLoc &B);

/// The location of a hook for accesses in the line of `First`, of which `Other`
/// is one: without a column if they differ in it.
llvm::DebugLoc commonLocation(const llvm::DebugLoc &First,
                              const llvm::DebugLoc &Other);

} // namespace atsan

#endif // ATSAN_PASS_PLAN_ACCESSRUN_H
