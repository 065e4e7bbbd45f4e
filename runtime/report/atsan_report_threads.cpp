//===-- atsan_report_threads.cpp ------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies what reports say about threads out of the thread registry. A thread
// whose stack is looked at cannot go away while the registry is locked.
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_report_threads.h"

#include "runtime/state/atsan_thread_contexts.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_stackdepot.h"

namespace __atsan {

static bool IsListed(const ViolationReport &report, u32 tid) {
  for (const ReportThread &thread : report.threads)
    if (thread.tid == tid)
      return true;
  return false;
}

void AddThread(ViolationReport *report, u32 tid) {
  while (tid != kUnknownThread && !IsListed(*report, tid)) {
    ReportThread thread = {};
    thread.tid = tid;
    thread.parent_tid = kUnknownThread;
    u32 creation_stack_id = 0;
    {
      ThreadRegistryLock lock(&Threads());
      if (ThreadContext *context = FindContextLocked(tid)) {
        internal_strlcpy(thread.name, context->name, sizeof(thread.name));
        thread.parent_tid = context->parent_tid;
        thread.finished = !context->thr;
        creation_stack_id = context->creation_stack_id;
      }
    }
    if (creation_stack_id)
      thread.creation = SymbolizeStack(StackDepotGet(creation_stack_id));
    report->threads.push_back(thread);
    tid = thread.parent_tid;
  }
}

// The innermost frame of `thr` that is known.
static bool KnownFrame(Thread *thr, AccessPoint *at, bool *innermost) {
  if (thr == cur_thread) {
    *innermost = true;
    *at = LastInternedPoint(thr);
    return true;
  }
  *innermost = thr->blocked_fp != 0;
  if (*innermost) {
    *at = {thr->blocked_pc, thr->blocked_fp};
    return true;
  }
  // The thread runs. Its outermost region's frame most likely lives on, and the
  // entry of it does not move until nesting is so deep that the vector grows.
  if (thr->regions.empty())
    return false;
  *at = {thr->regions.data()->pc, thr->regions.data()->fp};
  return true;
}

bool FindStackOwner(uptr addr, StackOwner *owner) {
  ThreadRegistryLock lock(&Threads());
  for (u32 tid = 0; tid < Threads().NumThreadsLocked(); tid++) {
    ThreadContext *context = FindContextLocked(tid);
    Thread *thr = context ? context->thr : nullptr;
    // A fiber's stack is somewhere in the mapping that is noted.
    if (!thr || thr->is_fiber || addr < thr->stack_bottom ||
        addr >= thr->stack_top)
      continue;
    owner->tid = tid;
    owner->num_frames = 0;
    AccessPoint at;
    if (KnownFrame(thr, &at, &owner->innermost_known))
      owner->num_frames =
          WalkStack(thr, at, owner->pcs, owner->frames, StackOwner::kMaxFrames);
    return true;
  }
  return false;
}

bool FindTlsOwner(uptr addr, u32 *tid) {
  ThreadRegistryLock lock(&Threads());
  for (u32 i = 0; i < Threads().NumThreadsLocked(); i++) {
    ThreadContext *context = FindContextLocked(i);
    Thread *thr = context ? context->thr : nullptr;
    if (!thr || addr < thr->tls_begin || addr >= thr->tls_end)
      continue;
    *tid = i;
    return true;
  }
  return false;
}

}  // namespace __atsan
