//===-- atsan_jump.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A jump that leaves regions. The pass announces every call of setjmp and
// getcontext in instrumented code, so the exact state there is known. For a
// buffer that uninstrumented code filled, the stack pointer in it tells which
// regions' frames die.
//
// Code that switches between stacks jumps, too, and leaves no frames. Known are
// the bounds of the stack that the thread was born with, and of those that
// contexts were made for.
//
//===----------------------------------------------------------------------===//
#include "runtime/threads/atsan_jump.h"

#include <signal.h>
#include <ucontext.h>

#include "runtime/location/atsan_location.h"
#include "runtime/regions/atsan_region.h"
#include "runtime/threads/atsan_atomic.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_procmaps.h"

namespace __atsan {

// glibc hides addresses in a jmp_buf behind a key of the thread.
static uptr Unhidden(uptr hidden) {
  asm("rorq $0x11, %0\n\t"
      "xorq %%fs:0x30, %0"
      : "+r"(hidden)
      :
      : "cc");
  return hidden;
}

// Where a jump leads: the stack pointer there, and the code; 0: not known.
struct Target {
  uptr sp, pc;
};

static Target TargetIn(const void *env, JumpBuffer kind) {
  const uptr *words = static_cast<const uptr *>(env);
  if (kind == JumpBuffer::kCompilers)
    return {words[2], 0};
  constexpr u32 kRsp = 15, kRip = 16;  // REG_RSP, REG_RIP
  if (kind == JumpBuffer::kContext) {
    const auto &registers =
        static_cast<const ucontext_t *>(env)->uc_mcontext.gregs;
    return {static_cast<uptr>(registers[kRsp]),
            static_cast<uptr>(registers[kRip])};
  }
  constexpr u32 kHiddenRsp = 6, kHiddenRip = 7;
  return {Unhidden(words[kHiddenRsp]), Unhidden(words[kHiddenRip])};
}

// --- Stacks. -----------------------------------------------------------------

static bool AreInOneMapping(uptr a, uptr b) {
  MemoryMappingLayout maps(/*cache_enabled=*/false);
  MemoryMappedSegment segment;
  while (maps.Next(&segment))
    if (a >= segment.start && a < segment.end)
      return b >= segment.start && b < segment.end;
  return false;
}

// Whether the thread runs a signal handler that has a stack of its own.
static bool IsOnSignalStack() {
  stack_t now = {};
  return !internal_iserror(internal_sigaltstack(nullptr, &now)) &&
         (now.ss_flags & SS_ONSTACK);
}

// Stacks of the program's own, by their addresses, none within another.
struct Stack {
  uptr begin, end;
  bool Has(uptr sp) const { return begin <= sp && sp < end; }
};
static InternalMmapVectorNoCtor<Stack> stacks;
static StaticSpinMutex stacks_mutex;

void JumpLockForFork() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  stacks_mutex.Lock();
}
void JumpUnlockAfterFork() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  stacks_mutex.Unlock();
}

// The place of the first stack that ends behind `sp`.
static uptr StackPlace(uptr sp) {
  uptr low = 0, high = stacks.size();
  while (low < high) {
    const uptr middle = (low + high) / 2;
    if (stacks[middle].end <= sp)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Where the stack of the program's own begins that `sp` is on; 0: none that is
// known.
static uptr BeginOfStack(Thread *thr, uptr sp) {
  ScopedInRuntime in_runtime(thr);
  SpinMutexLock lock(&stacks_mutex);
  const uptr place = StackPlace(sp);
  return place < stacks.size() && stacks[place].Has(sp) ? stacks[place].begin
                                                        : 0;
}

// Learns of the stack that makecontext was told, if a context leads there.
static void NoteStack(Thread *thr, const ucontext_t *context, uptr sp) {
  const uptr begin = reinterpret_cast<uptr>(context->uc_stack.ss_sp);
  const Stack stack = {begin, begin + context->uc_stack.ss_size};
  if (!stack.Has(sp))
    return;
  ScopedInRuntime in_runtime(thr);
  SpinMutexLock lock(&stacks_mutex);
  const uptr place = StackPlace(begin);
  uptr past = place;
  while (past < stacks.size() && stacks[past].begin < stack.end)
    past++;
  if (past == place + 1 && stacks[place].begin == begin &&
      stacks[place].end == stack.end)
    return;
  if (!stacks.data())
    stacks.Initialize(16);
  if (past == place) {
    stacks.push_back(stack);
    for (uptr i = stacks.size() - 1; i > place; i--)
      stacks[i] = stacks[i - 1];
  } else {
    // The others there are gone: their memory is this one's.
    const uptr gone = past - place - 1;
    for (uptr i = past; gone && i < stacks.size(); i++)
      stacks[i - gone] = stacks[i];
    stacks.resize(stacks.size() - gone);
  }
  stacks[place] = stack;
}

// Whether an address is on the stack that the thread was born with. That of the
// first thread may have grown beyond what was its limit.
static bool IsOnFirstStack(Thread *thr, uptr sp) {
  return IsOnOwnStack(thr, sp) ||
         (thr->tid == kMainTid && !thr->is_fiber && sp < thr->stack_bottom &&
          !BeginOfStack(thr, sp) && AreInOneMapping(sp, thr->stack_top - 1));
}

// Whether a jump from `here` to a frame at `sp` leads to another stack. Of two
// stacks of the program's own that are not known it is clear if something lies
// between them.
static bool LeadsToAnotherStack(Thread *thr, uptr here, uptr sp) {
  const bool is_first = IsOnFirstStack(thr, here);
  if (is_first != IsOnFirstStack(thr, sp))
    return true;
  if (!is_first && BeginOfStack(thr, here) != BeginOfStack(thr, sp))
    return true;
  return sp < here ||
         (!is_first && !BeginOfStack(thr, sp) && !AreInOneMapping(here, sp));
}

// --- Jumps. ------------------------------------------------------------------

using JumpRecords = InternalMmapVectorNoCtor<JumpRecord>;
using JumpKey = uptr JumpRecord::*;

// The place of the first record, sorted by their frames and then by `key`, that
// is not below this one.
static uptr RecordPlace(const JumpRecords &records, JumpKey key, uptr sp,
                        uptr value) {
  uptr low = 0, high = records.size();
  while (low < high) {
    const uptr middle = (low + high) / 2;
    const JumpRecord &record = records[middle];
    if (record.sp < sp || (record.sp == sp && record.*key < value))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void Record(JumpRecords *records, JumpKey key, const JumpRecord &added) {
  JumpRecords &all = *records;
  // Jumping into a frame that has returned is undefined: forget those.
  const uptr frame = RecordPlace(all, key, added.sp, 0);
  uptr gone = 0;
  while (gone < frame && all[frame - gone - 1].stack == added.stack)
    gone++;
  for (uptr i = frame; gone && i < all.size(); i++)
    all[i - gone] = all[i];
  all.resize(all.size() - gone);
  // A later call takes the place of the former.
  const uptr place = RecordPlace(all, key, added.sp, added.*key);
  if (place == all.size() || all[place].sp != added.sp ||
      all[place].*key != added.*key) {
    all.push_back({});
    for (uptr i = all.size() - 1; i > place; i--)
      all[i] = all[i - 1];
  }
  all[place] = added;
}

void JumpRecordTarget(Thread *thr, uptr env, uptr sp, uptr pc) {
  ScopedInRuntime in_runtime(thr);
  const uptr stack =
      IsOnOwnStack(thr, sp) ? thr->stack_bottom : BeginOfStack(thr, sp);
  const JumpRecord record = {
      env,
      sp,
      pc,
      stack,
      static_cast<u32>(thr->regions.size()),
      thr->ignore_accesses,
      thr->atomic_depth,
  };
  Record(&thr->jumps_by_env, &JumpRecord::env, record);
  Record(&thr->jumps_by_call, &JumpRecord::pc, record);
  for (Region &region : thr->regions)
    region.in_jumps = true;
}

// The record of the call that filled a buffer; nullptr: nobody has told of it.
static const JumpRecord *Find(Thread *thr, uptr env, const Target &to,
                              JumpBuffer kind) {
  const JumpRecords &by_env = thr->jumps_by_env;
  if (kind == JumpBuffer::kCompilers) {
    for (const JumpRecord &record : by_env)
      if (record.env == env)
        return &record;
    return nullptr;
  }
  uptr place = RecordPlace(by_env, &JumpRecord::env, to.sp, env);
  if (place < by_env.size() && by_env[place].sp == to.sp &&
      by_env[place].env == env)
    return &by_env[place];
  // Programs put into a buffer again what they have copied from it, or jump by
  // the copy: the call is known by its frame and its place in the code, too.
  constexpr uptr kMostBehind = 128;  // From the hook's call to setjmp's.
  const JumpRecords &by_call = thr->jumps_by_call;
  place = RecordPlace(by_call, &JumpRecord::pc, to.sp, to.pc);
  if (!place)
    return nullptr;
  const JumpRecord &call = by_call[place - 1];
  return call.sp == to.sp && to.pc - call.pc < kMostBehind ? &call : nullptr;
}

void JumpUnwind(Thread *thr, const void *env, JumpBuffer kind) {
  // A handler may go on with code of ours that it interrupted.
  if (kind == JumpBuffer::kContext && thr->in_runtime)
    return;
  thr->in_runtime = 0;
  thr->blocked_fp = 0;
  thr->blocked_pc = 0;
  const Target to = TargetIn(env, kind);
  const uptr sp = to.sp;
  if (kind == JumpBuffer::kContext)
    NoteStack(thr, static_cast<const ucontext_t *>(env), sp);
  const JumpRecord *record = Find(thr, reinterpret_cast<uptr>(env), to, kind);
  // Without a record, each region counts whose frame survives.
  auto is_left = [&](const Region &region, uptr i) {
    return record ? i >= record->num_regions : region.sp < sp;
  };
  bool undoes = record && (record->ignore_accesses < thr->ignore_accesses ||
                           record->atomic_depth < thr->atomic_depth);
  for (uptr i = 0; i < thr->regions.size(); i++)
    undoes |= is_left(thr->regions[i], i);
  const bool leads_away =
      undoes && LeadsToAnotherStack(thr, GET_CURRENT_FRAME(), sp);
  const bool leaves_handler = leads_away && IsOnSignalStack();
  const bool leaves_frames = undoes && (!leads_away || leaves_handler);
  if (leaves_frames && record) {
    thr->ignore_accesses = Min(thr->ignore_accesses, record->ignore_accesses);
    AtomicUnwind(thr, record->atomic_depth);
  }
  const bool is_first = leaves_frames && IsOnFirstStack(thr, sp);
  const auto is_here = [&](const Region &region) {
    return IsOnFirstStack(thr, region.sp) == is_first &&
           (is_first || BeginOfStack(thr, region.sp) == BeginOfStack(thr, sp));
  };
  RegionUnwind(thr, [&](const Region &region, uptr i) {
    return leaves_frames && is_left(region, i) &&
           (leaves_handler || is_here(region));
  });
  SignalsDeliver(thr);
}

}  // namespace __atsan
