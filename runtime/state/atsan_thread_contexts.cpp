//===-- atsan_thread_contexts.cpp -----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/state/atsan_thread_contexts.h"

#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {

__attribute__((tls_model("initial-exec"))) THREADLOCAL Thread *cur_thread;

// Dead threads that reports can still describe.
static constexpr u32 kQuarantine = 4096;

alignas(ThreadRegistry) static char registry_memory[sizeof(ThreadRegistry)];
static ThreadRegistry *registry;

static ThreadContextBase *NewContext(u32 tid) {
  // Contexts do not get a page each: thousands of dead ones are kept. None is
  // ever freed, and the registry's lock is held.
  static LowLevelAllocator contexts;
  return new (contexts) ThreadContext(tid);
}

void ThreadContextsInit() {
  registry =
      new (registry_memory) ThreadRegistry(NewContext, ~0u, kQuarantine, 0);
}

ThreadRegistry &Threads() { return *registry; }

ThreadContext *FindContextLocked(u32 tid) {
  if (tid >= registry->NumThreadsLocked())
    return nullptr;
  auto *ctx = static_cast<ThreadContext *>(registry->GetThreadLocked(tid));
  return ctx->status == ThreadStatusInvalid ? nullptr : ctx;
}

void ThreadContext::OnReset() {
  thr = nullptr;
  creation_stack_id = 0;
  ended = {};
  joinable = false;
}

}  // namespace __atsan
