//===- Event.h ------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the first half of the instrumentation decides and the second half emits.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_BASE_EVENT_H
#define ATSAN_PASS_BASE_EVENT_H

#include "llvm/IR/Instruction.h"
#include "llvm/Support/Alignment.h"

namespace atsan {

enum class EventKind { Read, Write, Birth, Death };

/// The bytes that an event is about.
enum class Footprint {
  Block,   // Size bytes at Ptr.
  Lanes,   // Size bytes for each active lane, at Ptr, Ptr + Stride, ...
  Scatter, // Size bytes for each active lane, at the lane's element of Ptr.
  Indexed, // Size bytes for each active lane, at Ptr + the lane's index *
           // Scale.
  Packed,  // Size bytes at Ptr times the number of active lanes.
  Frame    // All of the function's frame.
};

/// One thing that the runtime is told about.
struct Event {
  EventKind Kind = EventKind::Read;
  Footprint Shape = Footprint::Block;

  /// The instruction that causes the event, for order and location. Null for
  /// what happens at the function's entry.
  llvm::Instruction *At = nullptr;

  /// The load whose read is told at another place, see DueReads.h; or null.
  llvm::Instruction *From = nullptr;

  llvm::Value *Ptr = nullptr;
  uint64_t Offset = 0; // Added to Ptr.
  uint64_t Size = 0;
  llvm::Value *Count = nullptr; // If set, Size is multiplied by this.
  llvm::Align Alignment;        // The alignment of Ptr + Offset.

  // A lane is active if its bit of Mask is set (or there is no mask) and its
  // number is below VectorLength (or there is none).
  unsigned Lanes = 0;
  llvm::Value *Mask = nullptr;
  bool MaskIsSign = false; // A lane's bit in Mask is the sign of its element.
  llvm::Value *VectorLength = nullptr;
  llvm::Value *Stride = nullptr; // Null: lanes are Size bytes apart.
  llvm::Value *Indices = nullptr;
  llvm::Value *Scale = nullptr;

  bool isAccess() const {
    return Kind == EventKind::Read || Kind == EventKind::Write;
  }
};

} // namespace atsan

#endif // ATSAN_PASS_BASE_EVENT_H
