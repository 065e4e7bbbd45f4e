//===-- atsan_thread_registry.h ---------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every thread of the process: its birth, its end, and what reports say about
// it. A context outlives its thread; the newest kQuarantine of the dead keep
// theirs.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_THREAD_REGISTRY_H
#define ATSAN_THREAD_REGISTRY_H

#include "runtime/state/atsan_thread_contexts.h"

namespace __atsan {

// --- Birth. ------------------------------------------------------------------

// Sets up the registry and the main thread, which calls it.
void ThreadsInit();

enum class ThreadMode { kJoinable, kDetached };

// The parent makes the child's state before the child exists. `parent` is
// nullptr if its events do not count now.
Thread *ThreadCreate(Thread *parent, const AccessPoint &at, ThreadMode mode);
// Called if the child could not be created after all.
void ThreadAbandon(Thread *child);
// Called by the child, on its own stack.
void ThreadStart(Thread *child);
// Makes the state of the calling thread, which was created unseen; nullptr if
// it is about to end.
Thread *NewThreadIfUnseen();
// The calling thread's state, made if need be; nullptr if its events do not
// count now.
inline Thread *CurrentOrNewThread() {
  Thread *thr = cur_thread;
  if (UNLIKELY(!thr))
    return NewThreadIfUnseen();
  return LIKELY(!thr->in_runtime) ? thr : nullptr;
}

// --- End. --------------------------------------------------------------------

// Takes the tid of a thread that will be joined or detached: before the real
// call, after which the pthread_t may be another thread's. kInvalidTid for
// threads that we never saw.
u32 ThreadTakeUserId(uptr pthread);
// Puts the tid back if the real call failed.
void ThreadPutUserId(uptr pthread, u32 tid);
// `thr` is nullptr if its events do not count now.
void ThreadJoined(Thread *thr, const AccessPoint &at, u32 tid);
void ThreadDetached(u32 tid);
void ThreadSetName(uptr pthread, const char *name);

// --- Fork. -------------------------------------------------------------------

// In the child, with nothing locked: the other threads are gone.
void ThreadsAfterForkInChild();

}  // namespace __atsan

#endif  // ATSAN_THREAD_REGISTRY_H
