//===-- atsan_location.h ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interned code locations. A LocId stands for (kind, size, call stack, region
// context) of an access; a region context for (name, begin stack) of the
// outermost region. Both live as long as the process, in the stack depot.
//
// Within a region only the frames below the region's own frame are walked (by
// frame pointers), the others come from the region's begin stack: so a location
// costs a few loads and a look-up in a per-thread cache.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LOCATION_H
#define ATSAN_LOCATION_H

#include "atsan_thread.h"
#include "sanitizer_common/sanitizer_stacktrace.h"

namespace __atsan {

// Interns the begin stack and name of a region; called at outermost begin.
u32 InternRegionContext(Thread *thr, const char *name, const AccessPoint &at);
// The part of region `context` that follows a boundary (rule 5) at `at`: the
// region's context from there on, so that reports can say so.
u32 InternRegionPart(Thread *thr, u32 context, const AccessPoint &at);

struct LocationInfo {
  AccessKind kind;
  uptr size;           // Of the whole access, in bytes.
  u32 region_context;  // 0: the access was outside every region.
  BufferedStackTrace stack;
};
// False for id 0.
bool DescribeLocation(LocId id, LocationInfo *info);

struct RegionInfo {
  const char *name;  // May be nullptr.
  BufferedStackTrace begin_stack;
  // Where the boundary is that this part of the region follows; or empty.
  BufferedStackTrace split_stack;
};
bool DescribeRegion(u32 context, RegionInfo *info);

// The stack of the calling thread from `at` up, by frame pointers.
void UnwindStack(Thread *thr, const AccessPoint &at, BufferedStackTrace *stack);
u32 InternStack(Thread *thr, const AccessPoint &at);
// By unwind tables, which also see through libraries without frame pointers
// (std::thread's constructor is in one); takes microseconds.
u32 InternStackByTables(const AccessPoint &at);
// Code in a library without frame pointers leaves its caller's in place: the
// point in the function that at.fp belongs to. Takes microseconds.
AccessPoint FrameOwner(const Thread *thr, const AccessPoint &at);

// Like UnwindStack, for any thread of which a frame is known: `frames` gets the
// frame pointers that belong to the pcs (0 where there is none).
u32 WalkStack(const Thread *thr, const AccessPoint &at, uptr *pcs, uptr *frames,
              u32 max_frames);

// The point that the thread interned last: within a report, that of the event
// which the report is about.
AccessPoint LastInternedPoint(const Thread *thr);

// Frees the thread's cache, by the thread itself at its end.
void LocationThreadEnd(Thread *thr);

// Around fork, beside StackDepotLockBeforeFork.
void LocationLockForFork();
void LocationUnlockAfterFork();

}  // namespace __atsan

#endif  // ATSAN_LOCATION_H
