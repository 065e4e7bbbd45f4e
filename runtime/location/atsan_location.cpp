//===-- atsan_location.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks stacks, and describes what was interned.
//
//===----------------------------------------------------------------------===//
#include "runtime/location/atsan_location_internal.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "sanitizer_common/sanitizer_procmaps.h"

namespace __atsan {

uptr no_frame;

void LocationFreeMemory(Thread *thr) {
  UnmapOrDie(thr->location_cache, sizeof(LocationCache));
  UnmapOrDie(thr->stack_buffer, sizeof(BufferedStackTrace));
  thr->location_cache = nullptr;
  thr->stack_buffer = nullptr;
}

// --- Walking. ----------------------------------------------------------------

void FindFiberStack(Thread *thr, uptr here) {
  if (here >= thr->stack_bottom && here < thr->stack_top)
    return;
  MemoryMappingLayout maps(/*cache_enabled=*/false);
  MemoryMappedSegment segment;
  while (maps.Next(&segment)) {
    if (here < segment.start || here >= segment.end)
      continue;
    thr->stack_bottom = segment.start;
    thr->stack_top = segment.end;
    return;
  }
}

u32 WalkStack(const Thread *thr, const AccessPoint &at, uptr *pcs, uptr *frames,
              u32 max_frames) {
  u32 size = 0;
  pcs[size] = at.pc;
  frames[size++] = at.fp;
  WalkCallers(thr, at.fp, [&](uptr, uptr parent_fp, uptr return_address) {
    if (!IsCode(return_address) || size == max_frames)
      return false;
    pcs[size] = return_address;
    frames[size++] = parent_fp;
    return true;
  });
  return size;
}

u64 HashStack(const Thread *thr, const AccessPoint &at) {
  u64 hash = HashStep(0, at.pc);
  u32 size = 1;
  WalkCallers(thr, at.fp, [&](uptr, uptr, uptr return_address) {
    if (!IsCode(return_address) || size++ == kMaxFrames)
      return false;
    hash = HashStep(hash, return_address);
    return true;
  });
  return hash;
}

void UnwindStack(Thread *thr, const AccessPoint &at,
                 BufferedStackTrace *stack) {
  stack->Reset();
  stack->top_frame_bp = at.fp;
  stack->size = Walk(thr, at, stack->trace_buffer, kMaxFrames);
}

// --- Stacks of the calling thread. -------------------------------------------

AccessPoint LastInternedPoint(const Thread *thr) {
  return thr->location_cache ? thr->location_cache->last_point : AccessPoint{};
}

// An empty stack, for the calling thread in the runtime. Not a local: it is too
// big for a small user stack.
static BufferedStackTrace *StackBuffer() {
  BufferedStackTrace **buffer = &cur_thread->stack_buffer;
  if (UNLIKELY(!*buffer))
    *buffer = static_cast<BufferedStackTrace *>(
        MmapOrDie(sizeof(BufferedStackTrace), "atsan stack trace"));
  return new (*buffer) BufferedStackTrace();
}

// Calls f(stack) with the calling thread's stack by unwind tables.
template <class F>
static void WithStackByTables(const AccessPoint &at, F f) {
  ScopedInRuntime in_runtime(cur_thread);  // The unwinder is not the program.
  BufferedStackTrace *stack = StackBuffer();
  stack->Unwind(at.pc, at.fp, nullptr, /*request_fast=*/false);
  f(*stack);
}

u32 InternStackByTables(const AccessPoint &at) {
  u32 id = 0;
  WithStackByTables(
      at, [&](const BufferedStackTrace &stack) { id = StackDepotPut(stack); });
  return id;
}

u32 InternStackByFrames(Thread *thr, const AccessPoint &at) {
  ScopedInRuntime in_runtime(thr);
  BufferedStackTrace *stack = StackBuffer();
  UnwindStack(thr, at, stack);
  return StackDepotPut(*stack);
}

uptr ReturnAddressByTables(const AccessPoint &at) {
  uptr address = 0;
  WithStackByTables(at, [&](const BufferedStackTrace &stack) {
    address = stack.size > 1 ? stack.trace[1] : 0;
  });
  return address;
}

AccessPoint FrameOwner(const Thread *thr, const AccessPoint &at) {
  AccessPoint owner = at;
  if (at.fp < thr->stack_bottom || at.fp + 2 * sizeof(uptr) > thr->stack_top ||
      at.fp % sizeof(uptr))
    return owner;
  uptr returns_to = reinterpret_cast<uptr *>(at.fp)[1];
  WithStackByTables(at, [&](const BufferedStackTrace &stack) {
    for (u32 i = 1; i < stack.size; i++)
      if (stack.trace[i] == returns_to) {
        owner.pc = stack.trace[i - 1];
        return;
      }
  });
  return owner;
}

// --- Describing. -------------------------------------------------------------

static void CopyFrames(const StackTrace &from, u32 skip,
                       BufferedStackTrace *to) {
  u32 count = from.size > skip ? from.size - skip : 0;
  count = Min(count, kStackTraceMax - to->size);
  internal_memcpy(to->trace_buffer + to->size, from.trace + skip,
                  count * sizeof(uptr));
  to->size += count;
}

bool DescribeRegion(u32 context, RegionInfo *info) {
  info->name = nullptr;
  info->begin_stack.Reset();
  info->split_stack.Reset();
  StackTrace stored = StackDepotGet(context);
  if (stored.size && stored.tag == kRegionPart) {
    CopyFrames(stored, 1, &info->split_stack);
    stored = StackDepotGet(static_cast<u32>(stored.trace[0]));
  }
  if (!stored.size || stored.tag != kRegion)
    return false;
  info->name = reinterpret_cast<const char *>(stored.trace[0]);
  CopyFrames(stored, 1, &info->begin_stack);
  return true;
}

// Copies a location's frames, to which its region's begin stack adds the rest.
static void CopyLocation(const StackTrace &stored, BufferedStackTrace *stack) {
  CopyFrames(stored, kPseudoFrames, stack);
  if (!(stored.tag & kEndsAtRegion))
    return;
  StackTrace region = StackDepotGet(static_cast<u32>(stored.trace[1]));
  if (region.size && region.tag == kRegionPart)
    region = StackDepotGet(static_cast<u32>(region.trace[0]));
  // Skips a pseudo-frame and the begin mark, whose frame the stack has.
  if (region.size && region.tag == kRegion)
    CopyFrames(region, 2, stack);
}

bool DescribeLocation(LocId id, LocationInfo *info) {
  info->stack.Reset();
  StackTrace stored = id ? StackDepotGet(id) : StackTrace();
  if (stored.size < kPseudoFrames || !(stored.tag & kLocation))
    return false;
  info->kind = static_cast<AccessKind>(stored.tag & kKindMask);
  info->size = stored.trace[0];
  info->region_context = static_cast<u32>(stored.trace[1]);
  info->entered = static_cast<u32>(stored.trace[1] >> kEnteredShift);
  info->left_out =
      static_cast<LeftOut>((stored.tag & kLeftOutMask) >> kLeftOutShift);
  CopyLocation(stored, &info->stack);
  return true;
}

bool DescribeStack(u32 id, BufferedStackTrace *stack) {
  stack->Reset();
  StackTrace stored = StackDepotGet(id);
  if (stored.tag & kLocation)
    CopyLocation(stored, stack);
  else
    CopyFrames(stored, stored.tag ? 1 : 0, stack);
  return stack->size;
}

}  // namespace __atsan
