//===-- atsan_deep_stack.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remembers a stack, and finds out what of it is still there.
//
//===----------------------------------------------------------------------===//
#include "runtime/location/atsan_deep_stack.h"

#include "runtime/location/atsan_location_internal.h"

namespace __atsan {

// Each remembered frame says where the next one is: if none has changed, a walk
// would visit the same ones.
bool DeepStack::IsUnchanged() const {
  __m128i differ = _mm_setzero_si128();
  for (u32 i = 0; i < size_; i++)
    differ = _mm_or_si128(differ, frames_[i].Differs(fps_[i]));
  return IsZero(differ);
}

void DeepStack::Push(uptr fp) {
  const u16 number = size_++;
  fps_[number] = fp;
  frames_[number] = *reinterpret_cast<const SavedFrame *>(fp);
  const uptr pc = frames_[number].return_address;
  const u16 caller = number ? tops_[number - 1] : kNone;
  for (u16 call = caller; call != kNone; call = calls_[call].before)
    if (calls_[call].return_address == pc) {
      tops_[number] = call;
      return;
    }
  tops_[number] = number;
  Call &call = calls_[number];
  call = {pc, HashStep(0, pc), caller, 1};
  if (caller != kNone) {
    call.hash = HashStep(calls_[caller].hash, pc);
    call.num_calls += calls_[caller].num_calls;
  }
}

// Remembers what is on the way from the frame at `fp` to one that is known.
bool DeepStack::Extend(uptr fp, uptr here) {
  u32 num_fresh = 0;
  for (uptr lowest = here; fp != region_.fp;) {
    // Frames below this one have returned.
    while (size_ && fps_[size_ - 1] < fp)
      size_--;
    if (size_ && fps_[size_ - 1] == fp)
      break;
    if (!IsFrame(fp, lowest, region_.fp) || num_fresh == kMaxSize)
      return false;
    const uptr *frame = reinterpret_cast<const uptr *>(fp);
    if (!IsCode(frame[1]))
      return false;
    fresh_[num_fresh++] = fp;
    lowest = fp + 2 * sizeof(uptr);
    fp = frame[0];
  }
  if (fp == region_.fp)
    size_ = 0;
  if (size_ + num_fresh > kMaxSize || !IsUnchanged())
    return false;
  while (num_fresh)
    Push(fresh_[--num_fresh]);
  return true;
}

bool DeepStack::Update(const Thread *thr, uptr fp) {
  const uptr here = GET_CURRENT_FRAME();
  if (!IsRegionAbove(thr, here))
    return false;
  if (region_.fp != thr->region_frame.fp)
    size_ = 0;
  region_ = thr->region_frame;
  if (!Extend(fp, here)) {
    size_ = 0;
    if (!Extend(fp, here))
      return false;
  }
  return size_ >= kMaxHashedDepth && Top().num_calls < kMaxFrames;
}

u32 DeepStack::Copy(uptr *pcs) const {
  u32 n = 0;
  for (u16 call = tops_[size_ - 1]; call != kNone; call = calls_[call].before)
    pcs[n++] = calls_[call].return_address;
  return n;
}

}  // namespace __atsan
