//===-- atsan_trace_file.h --------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file of a trace (docs/trace-format.md): makes it, and hands out blocks of
// it to threads. Blocks are shared mappings of the file: a record is in the
// file as soon as it is in memory, however the program ends.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_TRACE_FILE_H
#define ATSAN_TRACE_FILE_H

#include "lib/event/BinaryFormat.h"
#include "sanitizer_common/sanitizer_atomic.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __atsan {

using namespace __sanitizer;
namespace format = atsan::trace::binary;

// A block that a thread fills.
struct TraceBlock {
  format::BlockHeader *header;  // Null: there is no block.
  u8 *out;                      // Where the next record goes.
  u8 *end;

  uptr Left() const { return end - out; }
  u8 *Records() const { return reinterpret_cast<u8 *>(header + 1); }
  // The records up to `out` are complete.
  void Publish() {
    __atomic_store_n(&header->Used, static_cast<uint64_t>(out - Records()),
                     __ATOMIC_RELEASE);
  }
};

// The trace of this process. The kernel fills this with zeros in the child of
// any fork, which must not touch its parent's file.
struct TraceFile {
  // Runs are numbered in the observed order: see atsan_trace.cpp.
  atomic_uint64_t run;

  StaticSpinMutex mutex;
  enum class Status : u8 { kUnopened, kOpen, kStopped } status;
  u64 limit;  // Bytes; 0: none.
  format::FileHeader *header;
};
extern TraceFile *trace_file;

constexpr u64 kTraceStopped = 1ull << 63;  // A bit of `run`.

// Ends the program with a message if the file cannot be made.
void TraceFileInit(const char *path, u64 limit);
// Memory that is all zeros in the child of any fork.
void *MapWipedOnFork(uptr size, const char *what);
// Fills the TraceFile with zeros, where the kernel does not do it.
void TraceFileAfterFork();

// Gives the thread a block with room for `need` bytes, `size` if possible, and
// closes the one that it has. False: recording has stopped.
bool TraceNewBlock(TraceBlock *block, u32 thread, u64 run, uptr size,
                   uptr need);
// Closes the block of a thread that has no more to say.
void TraceCloseBlock(TraceBlock *block);
// Finishes the block for the case that the program ends now. If the program
// goes on, there seems to be no room in the block until it is unsealed.
void TraceSealBlock(TraceBlock *block);
void TraceUnsealBlock(TraceBlock *block);

}  // namespace __atsan

#endif  // ATSAN_TRACE_FILE_H
