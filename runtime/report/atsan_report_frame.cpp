//===-- atsan_report_frame.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks for the record of a frame's variables in the frame
// (lib/base/FrameRecord.h).
//
//===----------------------------------------------------------------------===//
#include "lib/base/FrameRecord.h"
#include "runtime/report/atsan_report_threads.h"

namespace __atsan {

using atsan_frames::FrameRecord;
using atsan_frames::Variables;

static const Variables *VariablesAt(const FrameRecord *record, uptr pc,
                                    uptr fp) {
  const Variables *variables = record->variables;
  const uptr addr = reinterpret_cast<uptr>(variables);
  if (record->frame_pointer != fp || addr % alignof(Variables) ||
      !IsInLoadedModule(addr) ||
      variables->magic != atsan_frames::kRecordMagic ||
      reinterpret_cast<uptr>(variables->function) != FunctionStart(pc))
    return nullptr;
  return variables;
}

const atsan_frames::Variable *FindRecordedVariable(uptr pc, uptr fp, uptr addr,
                                                   uptr *begin) {
  // The end of the frame is not known: the search goes as far as there is a
  // stack, and no farther than frames are.
  constexpr uptr kLargeFrame = 1 << 20;
  const uptr page_size = GetPageSizeCached();
  uptr page = fp;
  for (uptr at = fp - sizeof(FrameRecord); fp - at < kLargeFrame;
       at -= sizeof(uptr)) {
    if (at < page) {
      page = RoundDownTo(at, page_size);
      if (!IsAccessibleMemoryRange(page, page_size))
        return nullptr;
    }
    auto *record = reinterpret_cast<const FrameRecord *>(at);
    const Variables *variables = VariablesAt(record, pc, fp);
    if (!variables)
      continue;
    for (uptr i = 0; i < variables->count; i++) {
      *begin = record->addresses[i];
      if (addr - *begin < variables->variables[i].size)
        return &variables->variables[i];
    }
    return nullptr;
  }
  return nullptr;
}

}  // namespace __atsan
