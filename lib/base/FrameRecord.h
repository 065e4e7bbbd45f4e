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
  const char *function; // That declares it, which may be inlined here.
  const char *file;
  unsigned long line;
};

// Constant.
struct Variables {
  unsigned long magic;
  const void *function;
  unsigned long count;
  Variable variables[1]; // `count` of them.
};

// In the frame, anywhere. The frame pointer and the function tell it from what
// a frame that is gone has left there: who has both writes it anew.
struct FrameRecord {
  const Variables *variables;
  unsigned long frame_pointer;
  unsigned long addresses[1]; // As many.
};

} // namespace atsan_frames

#endif // ATSAN_BASE_FRAMERECORD_H
