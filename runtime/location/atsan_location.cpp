//===-- atsan_location.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks stacks and interns them. InternLocation runs for every access that is
// recorded, with cells of the checker locked: nothing here may call the
// checker, an intercepted function, or anything that prints. Mostly it finds
// the id in a cache of the thread, by a hash of the frames up to the region's.
//===----------------------------------------------------------------------===//
#include "runtime/location/atsan_location_internal.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "sanitizer_common/sanitizer_procmaps.h"

namespace __atsan {

namespace {

// Each number of entries up to this has locations of its own; beyond, order is
// not told.
constexpr u32 kMaxEntered = 3;
constexpr u32 kEnteredShift = 32;

}  // namespace

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
    if (return_address < kLowestCode || size == max_frames)
      return false;
    pcs[size] = return_address;
    frames[size++] = parent_fp;
    return true;
  });
  return size;
}

void UnwindStack(Thread *thr, const AccessPoint &at,
                 BufferedStackTrace *stack) {
  stack->Reset();
  stack->top_frame_bp = at.fp;
  stack->size =
      Walk(thr, at, stack->trace_buffer, kMaxFrames, nullptr, nullptr);
}

// --- Interning. --------------------------------------------------------------

// Shortens a stack of more than kMaxHashedDepth frames: where a call is met
// again on the way out, the frames since it was last met are left out. So a
// recursion has a bounded number of stacks, however it goes on; else they
// would fill memory. Returns the number of frames that are left.
static u32 FoldRecursion(uptr *pcs, u32 size) {
  if (size <= kMaxHashedDepth)
    return size;
  static_assert(kStackTraceMax < 256, "the number of a frame is a byte");
  u8 places[256] = {};  // By a hash of the call: where it was last, plus 1.
  u32 kept = 0;
  for (u32 i = 0; i < size; i++) {
    const uptr pc = pcs[i];
    u8 *place = &places[HashStep(0, pc) >> 56];
    u32 found = *place;
    if (found && (found > kept || pcs[found - 1] != pc))
      for (found = kept; found && pcs[found - 1] != pc;)
        found--;
    if (found) {
      kept = found;
    } else {
      pcs[kept++] = pc;
      *place = kept;
    }
  }
  return kept;
}

// Interns a location outside regions, too, and at any depth.
static NOINLINE LocId InternAnywhere(Thread *thr, const AccessPoint &at,
                                     AccessKind kind, uptr size) {
  ScopedInRuntime in_runtime(thr);
  LocationCache *cache = GetCache(thr);
  cache->last_point = at;
  // A thread start or join at a boundary stands between two transactions.
  const u32 context = thr->checker.active ? thr->region_context : 0;
  const u32 entered = context ? thr->entered : 0;
  uptr *pcs = cache->words + kPseudoFrames;
  bool met = false;
  const u32 all = Walk(thr, at, pcs, kMaxFrames,
                       context ? &thr->region_frame : nullptr, &met);
  const u32 frames = FoldRecursion(pcs, all);
  u64 hash = HashRegion(context, entered);
  for (u32 i = 0; i < frames; i++)
    hash = HashStep(hash, pcs[i]);
  if (frames != all)
    hash = HashStep(hash, kFolded);  // No code address.
  hash = HashAccess(met ? hash : HashNotMet(hash), kind, size);
  if (LocId id = cache->Find(hash))
    return id;
  cache->words[0] = size;
  cache->words[1] = context | static_cast<uptr>(entered) << kEnteredShift;
  const u32 tag = kLocation | static_cast<u32>(kind) |
                  (met ? kEndsAtRegion : 0) | (frames != all ? kFolded : 0);
  LocId id =
      StackDepotPut(StackTrace(cache->words, frames + kPseudoFrames, tag));
  if (context)
    NoteAccessPlace(id);
  cache->Put(hash, id);
  return id;
}

LocId InternLocation(CheckerThread *checker_thread, const AccessPoint &at,
                     AccessKind kind, uptr size) {
  static_assert(__builtin_offsetof(Thread, checker) == 0,
                "a CheckerThread of the runtime is the start of a Thread");
  Thread *thr = reinterpret_cast<Thread *>(checker_thread);
  u64 frames = thr->checker.active && thr->region_context
                   ? HashFrames(thr, at, GET_CURRENT_FRAME())
                   : 0;
  LocId id = FindByFrames(thr, frames, kind, size);
  return LIKELY(id) ? id : InternAnywhere(thr, at, kind, size);
}

void OnRegionEntered(CheckerThread *checker_thread) {
  Thread *thr = reinterpret_cast<Thread *>(checker_thread);
  if (thr->entered == kMaxEntered)
    return;
  thr->entered++;
  thr->region_hash = HashRegion(thr->region_context, thr->entered);
}

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

u32 InternStack(Thread *thr, const AccessPoint &at) {
  ScopedInRuntime in_runtime(thr);
  LocationCache *cache = GetCache(thr);
  const u32 size = FoldRecursion(
      cache->words, Walk(thr, at, cache->words, kMaxFrames, nullptr, nullptr));
  u64 hash = 0;
  for (u32 i = 0; i < size; i++)
    hash = HashStep(hash, cache->words[i]);
  return CachedId(cache, HashEnd(hash), [&] {
    return StackDepotPut(StackTrace(cache->words, size));
  });
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
  info->is_folded = stored.tag & kFolded;
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
