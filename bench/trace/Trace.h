//===-- Trace.h -------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recorded run: a file of these records, in the order in which the events
// happened. Written by Recorder.cpp, read by the checkers in this folder.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_BENCH_TRACE_H
#define ATSAN_BENCH_TRACE_H

#include <cstdint>

namespace trace {

enum class What : uint8_t {
  Read,
  Write,
  AtomicRead,
  AtomicWrite,
  AtomicUpdate,
  Forget, // The bytes die; later accesses concern new entities.
  Begin,  // Of an outermost region, or of a part of one.
  End,
  Create, // Of the thread `Address`.
  Join,
  Exit, // Of the thread itself.
};

inline bool isAccess(What W) { return W <= What::AtomicUpdate; }
inline bool isWrite(What W) {
  return W == What::Write || W == What::AtomicWrite || W == What::AtomicUpdate;
}

struct Record {
  uint64_t Address;
  uint32_t Size;
  uint16_t Thread;
  What Kind;
  uint8_t Unused;
};
static_assert(sizeof(Record) == 16, "the files have no padding");

} // namespace trace

#endif // ATSAN_BENCH_TRACE_H
