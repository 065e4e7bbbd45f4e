//===-- atsan_jump.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A jump that leaves regions. The pass announces every setjmp call of
// instrumented code, so the exact state there is known. For a buffer that
// uninstrumented code filled, the stack pointer in it tells which regions'
// frames die.
//
//===----------------------------------------------------------------------===//
#include "runtime/threads/atsan_jump.h"

#include "runtime/regions/atsan_region.h"
#include "runtime/threads/atsan_atomic.h"

namespace __atsan {

// glibc hides the stack pointer in a jmp_buf behind a key of the thread.
static uptr StackPointerIn(const void *env, JumpBuffer kind) {
  if (kind == JumpBuffer::kCompilers)
    return static_cast<const uptr *>(env)[2];
  constexpr u32 kSlot = 6;
  uptr sp = static_cast<const uptr *>(env)[kSlot];
  asm("rorq $0x11, %0\n\t"
      "xorq %%fs:0x30, %0"
      : "+r"(sp)
      :
      : "cc");
  return sp;
}

void JumpRecordTarget(Thread *thr, uptr env, uptr sp) {
  ScopedInRuntime in_runtime(thr);
  auto &jumps = thr->jumps;
  // Jumping into a frame that has returned is undefined: forget those.
  while (!jumps.empty() && jumps.back().sp < sp)
    jumps.pop_back();
  JumpRecord record = {env, sp, static_cast<u32>(thr->regions.size()),
                       thr->ignore_accesses, thr->atomic_depth};
  for (JumpRecord &other : jumps) {
    if (other.env == env) {
      other = record;
      return;
    }
  }
  jumps.push_back(record);
}

// Guesses the record that is missing: every region counts whose frame survives.
static JumpRecord Guess(Thread *thr, uptr env, JumpBuffer kind) {
  uptr sp = StackPointerIn(reinterpret_cast<const void *>(env), kind);
  uptr num_regions = thr->regions.size();
  while (num_regions && thr->regions[num_regions - 1].sp < sp)
    num_regions--;
  return {env, sp, static_cast<u32>(num_regions), thr->ignore_accesses,
          thr->atomic_depth};
}

static JumpRecord Find(Thread *thr, uptr env, JumpBuffer kind) {
  for (uptr i = thr->jumps.size(); i > 0; i--)
    if (thr->jumps[i - 1].env == env)
      return thr->jumps[i - 1];
  return Guess(thr, env, kind);
}

void JumpUnwind(Thread *thr, const void *env, JumpBuffer kind) {
  thr->in_runtime = 0;
  JumpRecord target = Find(thr, reinterpret_cast<uptr>(env), kind);
  thr->ignore_accesses = Min(thr->ignore_accesses, target.ignore_accesses);
  thr->blocked_fp = 0;
  thr->blocked_pc = 0;
  AtomicUnwind(thr, target.atomic_depth);
  RegionUnwind(thr, Min<uptr>(target.num_regions, thr->regions.size()));
  SignalsDeliver(thr);
}

}  // namespace __atsan
