//===-- atsan_report_threads.h ----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What reports need of the thread registry. Each function takes its lock and
// gives it back: nothing is symbolized under it.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REPORT_THREADS_H
#define ATSAN_REPORT_THREADS_H

#include "lib/base/FrameRecord.h"
#include "runtime/report/atsan_report.h"

namespace __atsan {

// Whose stack an address is on, and what is known of the frames there, the
// innermost first: a pc within each function and its frame pointer.
struct StackOwner {
  static constexpr u32 kMaxFrames = 64;
  u32 tid;
  u32 num_frames;
  // False: there are frames below frames[0] that are not known.
  bool innermost_known;
  uptr pcs[kMaxFrames];
  uptr frames[kMaxFrames];
};

bool FindStackOwner(uptr addr, StackOwner *owner);
// Thread-local storage that was there when the thread started.
bool FindTlsOwner(uptr addr, u32 *tid);

// The variable of the frame (pc, fp) in which the address lies, and where it
// begins, if the frame has a record of it.
const atsan_frames::Variable *FindRecordedVariable(uptr pc, uptr fp, uptr addr,
                                                   uptr *begin);

}  // namespace __atsan

#endif  // ATSAN_REPORT_THREADS_H
