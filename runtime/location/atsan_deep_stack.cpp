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
bool DeepStack::AreUnchanged() const {
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

// Finds the fresh frames on the way from the frame at `fp` to one that is
// remembered, or to the region's. False if it does not lead there.
bool DeepStack::Walk(uptr fp, uptr here) {
  num_fresh_ = 0;
  for (uptr lowest = here; fp != region_.fp;) {
    // Frames below this one have returned.
    while (size_ && fps_[size_ - 1] < fp)
      size_--;
    if (size_ && fps_[size_ - 1] == fp)
      return true;
    if (!IsFrame(fp, lowest, region_.fp))
      return false;
    const uptr *frame = reinterpret_cast<const uptr *>(fp);
    if (!IsCode(frame[1]))
      return false;
    fresh_[num_fresh_++ % kMaxSize] = fp;
    lowest = fp + 2 * sizeof(uptr);
    fp = frame[0];
  }
  size_ = 0;
  return true;
}

// Whether the frame at `fp` seems to be below as many frames as can be
// remembered. Only the innermost of them is looked at: were others to change,
// nothing that is told of such a stack would become wrong.
bool DeepStack::IsBelowAll(uptr fp, uptr here) const {
  return size_ == kMaxSize && fp >= here && fp < fps_[kMaxSize - 1] &&
         IsUnchanged(kMaxSize - 1);
}

// Takes the calls of the innermost frames. Where a call is met again on the way
// out, those since it was last met are left out. False if there are not so many
// frames below the region's.
bool DeepStack::TakeInnermost(uptr fp, uptr here) {
  u32 size = 0;
  uptr lowest = here;
  for (u32 depth = 0; depth < kMaxHashedDepth; depth++) {
    if (!IsFrame(fp, lowest, region_.fp))
      return false;
    const uptr *frame = reinterpret_cast<const uptr *>(fp);
    const uptr pc = frame[1];
    if (!IsCode(pc))
      return false;
    u32 place = 0;
    while (place < size && innermost_[place] != pc)
      place++;
    innermost_[place] = pc;
    size = place + 1;
    lowest = fp + 2 * sizeof(uptr);
    fp = frame[0];
  }
  num_innermost_ = size;
  innermost_hash_ = HashInnermost(size);
  return true;
}

bool DeepStack::Update(const Thread *thr, uptr fp) {
  const uptr here = GET_CURRENT_FRAME();
  num_innermost_ = 0;
  if (!IsRegionAbove(thr, here))
    return false;
  if (region_.fp != thr->region_frame.fp)
    size_ = 0;
  region_ = thr->region_frame;
  if (IsBelowAll(fp, here) && TakeInnermost(fp, here))
    return true;
  if (!Walk(fp, here))
    return false;
  if (!AreUnchanged()) {
    // The frames below one that has changed are others, too.
    u32 unchanged = 0;
    while (unchanged < size_ && IsUnchanged(unchanged))
      unchanged++;
    size_ = unchanged;
    if (!Walk(fp, here))
      return false;
  }
  while (num_fresh_ && size_ < kMaxSize)
    Push(fresh_[--num_fresh_ % kMaxSize]);
  if (num_fresh_)
    return TakeInnermost(fp, here);
  return size_ >= kMaxHashedDepth && Top().num_calls < kMaxFrames;
}

u64 DeepStack::HashInnermost(u32 num) const {
  u64 hash = 0;
  VisitCalls([&](uptr return_address) {
    hash = HashStep(hash, return_address);
    return --num != 0;
  });
  return hash;
}

u32 DeepStack::Copy(uptr *pcs) const {
  u32 n = 0;
  VisitCalls([&](uptr return_address) {
    pcs[n++] = return_address;
    return true;
  });
  return n;
}

}  // namespace __atsan
