//===-- atsan_observer.h ----------------------------------------*- C++ -*-===//
//-*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Observers, such as the recorder of traces, are told every event beside the
// checker. While there is one, the gate is open for the whole run and no hook
// returns early, so that accesses outside regions and repeated ones are told,
// too. While there is none, events cost one test on paths that are slow anyway.
//
// Observers are told before the checker, which may end the program. All is
// called with the thread in the runtime (ScopedInRuntime).
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_OBSERVER_H
#define ATSAN_OBSERVER_H

#include "lib/event/EventKind.h"
#include "runtime/memory/atsan_constant_memory.h"
#include "runtime/state/atsan_thread.h"

namespace __atsan {

using atsan::trace::EventKind;
using atsan::trace::TryOf;

// An event in the sense of lib/event/Event.h, or a loop of such events.
struct ObservedEvent {
  EventKind kind;
  bool is_atomic;
  bool is_stack;
  bool is_failed_exchange;
  LocId loc;  // A location or a plain stack; 0: not known.
  uptr addr;
  uptr size;
  uptr count;        // One event at addr, one at addr + stride...
  sptr stride;       // 0 if count is 1.
  const char *name;  // The name of a region that begins, or nullptr.
};

struct Observer {
  void (*on_event)(Thread *thr, const ObservedEvent &event);
  // Called in the child, before anything is told there; `threads` live on.
  void (*after_fork)(Thread *const *threads, uptr count);
  // Both may be nullptr; the second is called when the state of a thread goes
  // away, after its last event.
  void (*on_thread_name)(Thread *thr, u32 number, const char *name);
  void (*on_thread_delete)(Thread *thr);
};

// An observer lives as long as the program. It is added once, before there are
// threads, and removed once, by any thread.
void AddObserver(const Observer *observer);
void RemoveObserver(const Observer *observer);

extern ATSAN_HIDDEN atomic_uint32_t num_observers;
inline bool IsObserved() {
  return UNLIKELY(atomic_load(&num_observers, memory_order_relaxed) != 0);
}

// What hooks see of the calling thread: cur_thread, or nullptr while it is
// observed.
extern ATSAN_HIDDEN
    __attribute__((tls_model("initial-exec"))) THREADLOCAL Thread *quick_thread;
// Makes `thr` (or none) the calling thread's.
void SetCurrentThread(Thread *thr);

// --- Events. -----------------------------------------------------------------

// Tells an access that counts to observers; AccessHappens tells the checker,
// too.
void ObserveAccess(Thread *thr, uptr addr, uptr size, sptr stride, uptr count,
                   AccessKind kind, const AccessPoint &at);
inline void AccessHappens(Thread *thr, uptr addr, uptr size, AccessKind kind,
                          const AccessPoint &at) {
  if (IsObserved())
    ObserveAccess(thr, addr, size, 0, 1, kind, at);
  if (kind == AccessKind::kRead && IsConstant(addr, size))
    return;
  CheckerAccess(&thr->checker, addr, size, kind, at);
}

// Tells which words of the bytes, which have been written, are pointers to heap
// blocks now.
void ObservePointers(Thread *thr, uptr addr, uptr size, const AccessPoint &at);
// Tells that a thread will be started with this argument.
void ObserveArgument(Thread *thr, uptr value, const AccessPoint &at);

// Tells all other events. `thr` may be nullptr: then nobody is told.
void ObserveSlow(Thread *thr, EventKind kind, uptr addr, uptr size,
                 const AccessPoint &at, bool is_stack, const char *name);
inline void Observe(Thread *thr, EventKind kind, uptr addr,
                    const AccessPoint &at, const char *name = nullptr) {
  if (IsObserved())
    ObserveSlow(thr, kind, addr, 0, at, /*is_stack=*/false, name);
}
inline void ObserveAcquire(Thread *thr, uptr lock, LockMode mode,
                           const AccessPoint &at) {
  bool shared = mode == LockMode::kShared;
  Observe(thr, shared ? EventKind::AcquireShared : EventKind::Acquire, lock,
          at);
}
inline void ObserveRelease(Thread *thr, uptr lock, LockMode mode,
                           const AccessPoint &at) {
  bool shared = mode == LockMode::kShared;
  Observe(thr, shared ? EventKind::ReleaseShared : EventKind::Release, lock,
          at);
}
inline void ObserveMemory(Thread *thr, EventKind kind, uptr addr, uptr size,
                          const AccessPoint &at, bool is_stack = false) {
  if (IsObserved() && size)
    ObserveSlow(thr, kind, addr, size, at, is_stack, nullptr);
}

void ObserveThreadName(Thread *thr, u32 number, const char *name);
void ObserveThreadDelete(Thread *thr);
// Tells observers that the thread's regions begin, but for those set aside.
void ObserveOpenRegions(Thread *thr);
// Called in the child of a fork, when the checker has started anew. Observers
// are told which locks the threads hold and which regions they are in.
void ObserversAfterForkInChild(Thread *const *threads, uptr count);

}  // namespace __atsan

#endif  // ATSAN_OBSERVER_H
