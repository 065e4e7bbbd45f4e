//===-- atsan_deep_stack.h --------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stack below a region's frame, as it was when a thread last looked at it:
// most of a deep stack is still the same at the next access. What is remembered
// is compared with the stack, 16 bytes for each frame, which is several times
// cheaper than to follow it from frame to frame.
//
// Each call is there once: where one is made again, those that were made since
// are left out, so that a recursion has fewer stacks than ways through it.
//
// A stack of more than kMaxSize frames is told by its innermost calls. Only
// these are looked at each time, however many frames there are.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_DEEP_STACK_H
#define ATSAN_DEEP_STACK_H

#include <emmintrin.h>

#include "runtime/state/atsan_thread.h"
#include "sanitizer_common/sanitizer_stacktrace.h"

namespace __atsan {

// What the stack has where a frame pointer points to.
struct alignas(2 * sizeof(uptr)) SavedFrame {
  uptr parent;  // The frame pointer of the caller.
  uptr return_address;

  // The bits that the frame at `fp` differs in.
  __m128i Differs(uptr fp) const {
    return _mm_xor_si128(
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(fp)),
        _mm_load_si128(reinterpret_cast<const __m128i *>(this)));
  }
};

inline bool IsZero(__m128i bits) {
  const __m128i zero = _mm_cmpeq_epi8(bits, _mm_setzero_si128());
  return LIKELY(_mm_movemask_epi8(zero) == 0xffff);
}

// Says which calls a stack lacks.
enum class LeftOut : u8 {
  kNothing,
  kRepeated,  // It has each call of a recursion once.
  kCallers,   // What is further out, up to the region's frame.
};

// Stacks of more frames below the region's are deep.
constexpr u32 kMaxHashedDepth = 16;

class DeepStack {
 public:
  // A stack of more frames is told by its innermost calls only: all that are
  // remembered are compared at each first access to something.
  static constexpr u32 kMaxSize = 128;

  // Looks at the stack of the calling thread, which is in a region, from the
  // frame at `fp` up. False if the way from there does not lead to the region's
  // frame, or is not deep, or has too many different calls.
  bool Update(const Thread *thr, uptr fp);

  // Where the frames begin, outermost first, that are deep below the region's.
  uptr DeepBelow() const { return fps_[kMaxHashedDepth - 2]; }
  // This and the next three: of a deep stack.
  LeftOut WhatIsLeftOut() const {
    return num_innermost_             ? LeftOut::kCallers
           : Top().num_calls != size_ ? LeftOut::kRepeated
                                      : LeftOut::kNothing;
  }
  // Stands for the calls that are not left out.
  u64 Hash() const { return num_innermost_ ? innermost_hash_ : Top().hash; }
  u64 HashInnermost(u32 num) const;  // Stands for so many of them.
  // Copies the return addresses of these calls, innermost first. Returns how
  // many there are: less than kMaxFrames.
  u32 Copy(uptr *pcs) const;

 private:
  static constexpr u16 kNone = ~0;
  // A call that is not left out.
  struct Call {
    uptr return_address;
    u64 hash;  // Also of the calls before.
    u16 before;
    u16 num_calls;
  };

  const Call &Top() const { return calls_[tops_[size_ - 1]]; }
  // Calls visit(return_address) for each call that is not left out, innermost
  // first, until it returns false.
  template <class Visitor>
  void VisitCalls(Visitor visit) const {
    for (u32 i = 0; i < num_innermost_; i++)
      if (!visit(innermost_[i]))
        return;
    u16 call = num_innermost_ ? kNone : tops_[size_ - 1];
    for (; call != kNone; call = calls_[call].before)
      if (!visit(calls_[call].return_address))
        return;
  }
  bool IsUnchanged(u32 number) const {
    return IsZero(frames_[number].Differs(fps_[number]));
  }
  bool AreUnchanged() const;
  bool IsBelowAll(uptr fp, uptr here) const;
  bool TakeInnermost(uptr fp, uptr here);
  bool Walk(uptr fp, uptr here);
  void Push(uptr fp);

  RegionFrame region_;
  u32 size_;
  u32 num_fresh_;
  // The innermost calls, if the others are left out; else there are none.
  u32 num_innermost_;
  u64 innermost_hash_;
  uptr innermost_[kMaxHashedDepth];
  // By number of the frame, outermost first: where it is, and what was there;
  // the innermost call that it leaves; the call itself, if that is this one.
  uptr fps_[kMaxSize];
  SavedFrame frames_[kMaxSize];
  u16 tops_[kMaxSize];
  Call calls_[kMaxSize];
  // Frames that are not remembered yet, innermost first. The last kMaxSize of
  // them are there, by their number modulo kMaxSize.
  uptr fresh_[kMaxSize];
};

}  // namespace __atsan

#endif  // ATSAN_DEEP_STACK_H
