//===-- atsan_thread_contexts.h ---------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of each thread by its number, also after it has ended: for
// reports. Their lives are in threads/.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_THREAD_CONTEXTS_H
#define ATSAN_THREAD_CONTEXTS_H

#include "runtime/state/atsan_thread.h"
#include "sanitizer_common/sanitizer_thread_registry.h"

namespace __atsan {

class ThreadContext final : public ThreadContextBase {
 public:
  explicit ThreadContext(u32 tid) : ThreadContextBase(tid) {}

  // The state, until the thread ends.
  Thread *thr = nullptr;
  u32 creation_stack_id = 0;
  // Once it has ended and until it is joined or detached.
  EndedThread ended = {};
  bool joinable = false;

  void OnReset() override;
};

// Called before the first thread is registered.
void ThreadContextsInit();
// Locked while contexts are looked at: ThreadRegistryLock l(&Threads()).
ThreadRegistry &Threads();
// Called with the registry locked. nullptr: there is no such thread.
ThreadContext *FindContextLocked(u32 tid);

}  // namespace __atsan

#endif  // ATSAN_THREAD_CONTEXTS_H
