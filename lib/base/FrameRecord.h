//===- FrameRecord.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a frame says itself of its variables, for reports. Debug information
// places the variables of a frame that is realigned by the stack pointer, which
// symbolizers do not follow; so the compiler pass puts a record of them into
// such a frame, and the runtime looks for it there.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_BASE_FRAMERECORD_H
#define ATSAN_BASE_FRAMERECORD_H

namespace atsan_frames {

constexpr unsigned long kRecordMagic = 0x7a11ab1e5f4a3e1d;

struct Variable {
  const char *name;
  unsigned long size;
  const char *function; // The one that declares it, which may be inlined here.
  const char *file;
  unsigned long line;
};

// The variables of a frame, a constant.
struct Variables {
  unsigned long magic;
  const void *function;
  unsigned long count;
  Variable variables[1]; // There are `count` of them.
};

// A record anywhere in a frame. The frame pointer and the function tell it from
// what a frame that is gone has left there: a frame that has both writes it
// anew.
struct FrameRecord {
  const Variables *variables;
  unsigned long frame_pointer;
  unsigned long addresses[1]; // One for each variable.
};

} // namespace atsan_frames

#endif // ATSAN_BASE_FRAMERECORD_H
