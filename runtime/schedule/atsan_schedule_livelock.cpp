//===-- atsan_schedule_livelock.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a deadlock needs beside threads that wait: nobody else can make a
// change. Threads that spin are in one, too, if that is sure; or else the run
// goes on until it is late.
//
//===----------------------------------------------------------------------===//
#include <signal.h>

#include "runtime/schedule/atsan_schedule_loops.h"
#include "runtime/schedule/atsan_schedule_run.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_procmaps.h"

namespace __atsan {

// Faults are the thread's own, two signals are libc's, and some come from
// somebody who wants the program to end.
static bool IsNoHelp(int signal) {
  constexpr int kNoHelp[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                             SIGTRAP, SIGABRT, SIGINT, SIGHUP,
                             SIGQUIT, SIGTERM, 32,     33};
  for (int no_help : kNoHelp)
    if (signal == no_help)
      return true;
  return false;
}

static uptr HandlerOf(int signal) {
  __sanitizer_sigaction action = {};
  internal_sigaction(signal, nullptr, &action);
  return reinterpret_cast<uptr>(action.handler);
}

bool SignalsMayHelp() {
  for (int signal = 1; signal <= 64; signal++)
    if (!IsNoHelp(signal) && HandlerOf(signal) > 1)  // Not SIG_DFL, SIG_IGN.
      return true;
  return false;
}

static bool Reads(const ScheduledThread *t, uptr begin, uptr end) {
  const Repetition &r = t->repetition;
  for (u32 i = 0; i < r.last.num_reads; i++)
    if (r.reads[i].addr < end && r.reads[i].addr + r.reads[i].size > begin)
      return true;
  return false;
}

// Another process may write to what a thread reads.
static bool ReadsSharedMappings() {
  MemoryMappingLayout mappings(/*cache_enabled=*/false);
  MemoryMappedSegment mapping;
  while (mappings.Next(&mapping)) {
    if (!(mapping.protection & kProtectionShared))
      continue;
    for (const ScheduledThread *t : run->threads)
      if (t->state == ScheduledThread::kHeld &&
          Reads(t, mapping.start, mapping.end))
        return true;
  }
  return false;
}

// Whether the thread can go on when none of those that spin does anything but
// spin.
static bool MayGoOn(const ScheduledThread *t) {
  switch (t->state) {
    case ScheduledThread::kEnded:
      return false;
    case ScheduledThread::kHeld:
      return t->stop.deadline != kNever || t->stop.guard == Guard::kFiles ||
             (IsReadyCandidate(t->number) && !SpinsForEver(t));
    default:
      return true;
  }
}

bool AllSpinForEver() {
  bool any = false;
  for (const ScheduledThread *t : run->threads) {
    if (MayGoOn(t))
      return false;
    any |= t->state == ScheduledThread::kHeld && SpinsForEver(t);
  }
  return any && !HasThreadsOutsideRun() && !SignalsMayHelp() &&
         !ReadsSharedMappings();
}

}  // namespace __atsan
