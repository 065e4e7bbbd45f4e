//===-- atsan_fork.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// fork: only the forking thread lives on in the child, whatever the others were
// doing. Through pthread_atfork, so that the program's own handlers, which may
// do anything, run before we lock and after we unlock.
//
//===----------------------------------------------------------------------===//
#include "runtime/start/atsan_fork.h"

#include <pthread.h>

#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/location/atsan_location.h"
#include "runtime/location/atsan_symbolizer.h"
#include "runtime/memory/atsan_heap.h"
#include "runtime/regions/atsan_region_exclusion.h"
#include "runtime/report/atsan_checked.h"
#include "runtime/report/atsan_held.h"
#include "runtime/report/atsan_report.h"
#include "runtime/schedule/atsan_schedule_program.h"
#include "runtime/threads/atsan_atomic.h"
#include "runtime/threads/atsan_jump.h"
#include "runtime/threads/atsan_thread_registry.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_stackdepot.h"

namespace __atsan {

// Takes locks in the order in which a report takes them.
static void BeforeFork() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  ScheduleBeforeFork();
  EnterRuntime(cur_thread);
  JumpLockForFork();
  ThreadAttributesLockForFork();
  ScopedErrorReportLock::Lock();
  CheckerLockForFork();
  Threads().Lock();
  HeapLockForFork();
  LocationLockForFork();
  ExclusionsLockForFork();
  InternalAllocatorLock();
  StackDepotLockBeforeFork();
  // Warnings and records are written without the lock of reports.
  report_file.mu->Lock();
}

static void AfterFork(bool child) SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  report_file.mu->Unlock();
  StackDepotUnlockAfterFork(child);
  InternalAllocatorUnlock();
  ExclusionsUnlockAfterFork();
  LocationUnlockAfterFork();
  HeapUnlockAfterFork();
  Threads().Unlock();
  CheckerUnlockAfterFork();
  ScopedErrorReportLock::Unlock();
  ThreadAttributesUnlockAfterFork();
  JumpUnlockAfterFork();
  if (child) {
    AtomicAfterForkInChild();
    ThreadsAfterForkInChild();
    CheckedAfterForkInChild();
    ReportsAfterForkInChild();
    SymbolizerAfterForkInChild();
    HeldAfterForkInChild();
    ScheduleAfterForkInChild();
  } else {
    ScheduleAfterForkInParent();
  }
  LeaveRuntime(cur_thread);
}

static void AfterForkInParent() { AfterFork(/*child=*/false); }
static void AfterForkInChild() { AfterFork(/*child=*/true); }

bool ForkInit() {
  return pthread_atfork(BeforeFork, AfterForkInParent, AfterForkInChild) == 0;
}

}  // namespace __atsan
