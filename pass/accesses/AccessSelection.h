//===- AccessSelection.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which accesses are instrumented, and what exactly they touch. Inserts
// no hook. Every access that is skipped is counted under its reason.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_ACCESSES_ACCESSSELECTION_H
#define ATSAN_PASS_ACCESSES_ACCESSSELECTION_H

#include "pass/accesses/AtomicCalls.h"
#include "pass/base/Event.h"
#include "pass/selection/PrivateMemory.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"

namespace atsan {

using EventList = llvm::SmallVectorImpl<Event>;

class AccessSelection {
public:
  AccessSelection(const llvm::DataLayout &DL, const PrivateMemory &Private)
      : DL(DL), Private(Private) {}

  /// Appends the plain accesses of a load, store, intrinsic or call, in the
  /// order in which they happen.
  void describe(llvm::Instruction &I, EventList &Events) const;

  /// Decides on an atomic instruction: true if it is to be bracketed.
  bool selectAtomic(llvm::Instruction &I, Event &E) const;

  /// Decides on a call of libatomic: true if it is to be bracketed. Appends its
  /// plain accesses to the lists of those before and behind the call.
  bool selectAtomicCall(llvm::CallBase &Call, const AtomicCall &C, Event &E,
                        EventList &Before, EventList &Behind) const;

  /// Whether nothing is to be told of the access.
  bool isSkipped(const llvm::Instruction &I, const llvm::Value *Ptr,
                 EventKind Kind) const;

private:
  void add(Event E, EventList &Events) const;
  void describeTyped(llvm::Instruction &I, EventKind Kind, llvm::Value *Ptr,
                     llvm::Type *Ty, llvm::Align Alignment,
                     EventList &Events) const;
  void addFields(const Event &E, llvm::Type *Ty, EventList &Events) const;
  void describeCall(llvm::CallBase &Call, EventList &Events) const;
  void describeIntrinsic(llvm::IntrinsicInst &II, EventList &Events) const;
  /// Describes va_start, va_copy and va_end; false for others.
  bool describeArgumentList(llvm::IntrinsicInst &II, EventList &Events) const;
  void describeMemory(llvm::AnyMemIntrinsic &MI, EventList &Events) const;

  const llvm::DataLayout &DL;
  const PrivateMemory &Private;
};

/// Describes masked and vector-predicated accesses: the bytes of a lane, and
/// which lanes. False if the intrinsic is none of these.
bool describeVectorAccess(llvm::IntrinsicInst &II, const llvm::DataLayout &DL,
                          Event &E);

/// Makes a vector, in front of the access, of a mask that is an integer or an
/// MMX register.
void setMaskVector(Event &E);

/// True if the address is of the guard of a variable that is initialized when
/// it is first used.
bool isStaticGuard(const llvm::Value *Ptr);

/// True if the address is of memory that never changes.
bool isConstantMemory(const llvm::Value *Ptr);

/// True if other threads cannot tell whether what follows the intrinsic happens
/// before or after what precedes it.
bool isInvisible(const llvm::IntrinsicInst &II);

} // namespace atsan

#endif // ATSAN_PASS_ACCESSES_ACCESSSELECTION_H
