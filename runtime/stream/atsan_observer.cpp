//===-- atsan_observer.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/stream/atsan_observer.h"

#include "lib/checker/atsan_exempt.h"
#include "runtime/location/atsan_location.h"
#include "runtime/memory/atsan_heap_index.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

atomic_uint32_t num_observers;
__attribute__((tls_model("initial-exec"))) THREADLOCAL Thread *quick_thread;

namespace {

constexpr u32 kMaxObservers = 4;
struct Slot {
  const Observer *observer;
  atomic_uint8_t removed;
};
Slot slots[kMaxObservers];
u32 num_slots;

template <class F>
void ForEachObserver(F f) {
  for (u32 i = 0; i < num_slots; i++)
    if (!atomic_load(&slots[i].removed, memory_order_relaxed))
      f(*slots[i].observer);
}

void Tell(Thread *thr, const ObservedEvent &event) {
  ForEachObserver([&](const Observer &o) { o.on_event(thr, event); });
}

void HoldGate(bool open) {
  if (open)
    __atomic_fetch_add(&__atsan_gate, 1, __ATOMIC_SEQ_CST);
  else
    __atomic_fetch_sub(&__atsan_gate, 1, __ATOMIC_SEQ_CST);
}

}  // namespace

void AddObserver(const Observer *observer) {
  CHECK_LT(num_slots, kMaxObservers);
  slots[num_slots++].observer = observer;
  if (atomic_fetch_add(&num_observers, 1, memory_order_relaxed) == 0) {
    HoldGate(true);
    HeapIndexEnable();
  }
  SetCurrentThread(cur_thread);
}

void RemoveObserver(const Observer *observer) {
  for (u32 i = 0; i < num_slots; i++) {
    if (slots[i].observer != observer ||
        atomic_exchange(&slots[i].removed, 1, memory_order_relaxed))
      continue;
    // Threads find their quick paths again when they next come by.
    if (atomic_fetch_sub(&num_observers, 1, memory_order_relaxed) == 1)
      HoldGate(false);
    return;
  }
}

void SetCurrentThread(Thread *thr) {
  cur_thread = thr;
  quick_thread = IsObserved() ? nullptr : thr;
}

// --- Locks held. -------------------------------------------------------------

// A bit of HeldLock::addr.
constexpr uptr kSharedLock = 1ull << 63;

// A child of fork gets a history of its own, in which the locks that its thread
// gives back must have been taken.
static void KeepLock(Thread *thr, EventKind kind, uptr lock) {
  const uptr addr = lock | (atsan::trace::isShared(kind) ? kSharedLock : 0);
  LockList &locks = thr->observed_locks;
  if (atsan::trace::isAcquire(kind)) {
    locks.Take(addr);
    return;
  }
  // Some interfaces give back both kinds by one function.
  HeldLock *held = locks.Find(addr);
  if (!held)
    held = locks.Find(addr ^ kSharedLock);
  if (held)
    locks.GiveBack(held);
}

static void TellHeldLocks(Thread *thr) {
  for (const HeldLock &held : thr->observed_locks) {
    ObservedEvent event = {};
    event.kind =
        held.addr & kSharedLock ? EventKind::AcquireShared : EventKind::Acquire;
    event.addr = held.addr & ~kSharedLock;
    event.count = 1;
    for (u32 level = 0; level < held.count; level++)
      Tell(thr, event);
  }
}

void ObserveOpenRegions(Thread *thr) {
  RegionStack &regions = thr->regions;
  for (uptr i = regions.First(); i < regions.size(); i++)
    if (!regions[i].excluded)
      Observe(thr, EventKind::RegionBegin, 0, {regions[i].pc, 0},
              regions[i].name);
}

void ObserversAfterForkInChild(Thread *const *threads, uptr count) {
  if (!IsObserved())
    return;
  HoldGate(true);  // CheckerReset has closed it.
  ForEachObserver([&](const Observer &o) { o.after_fork(threads, count); });
  for (uptr i = 0; i < count; i++) {
    TellHeldLocks(threads[i]);
    ObserveOpenRegions(threads[i]);
  }
}

// --- Accesses. ---------------------------------------------------------------

static EventKind KindOf(AccessKind kind) {
  switch (kind) {
    case AccessKind::kRead:
    case AccessKind::kAtomicRead:
      return EventKind::Read;
    case AccessKind::kAtomicRmw:
      return EventKind::ReadModifyWrite;
    default:
      return EventKind::Write;
  }
}

void ObserveAccess(Thread *thr, uptr addr, uptr size, sptr stride, uptr count,
                   AccessKind kind, const AccessPoint &at) {
  if (!size || !count || IsExempt(addr))
    return;
  ObservedEvent event = {};
  event.kind = KindOf(kind);
  event.is_atomic = IsAtomic(kind);
  event.is_failed_exchange = thr->in_failed_exchange;
  event.loc = InternLocation(&thr->checker, at, kind, size);
  event.addr = addr;
  event.size = size;
  event.count = count;
  event.stride = stride;
  Tell(thr, event);
}

// `value` was stored at `addr`; 0: it is handed to a thread.
static void TellPointer(Thread *thr, uptr addr, uptr value, LocId *loc,
                        const AccessPoint &at) {
  uptr block;
  if (!HeapIndexFind(value, &block))
    return;
  if (!*loc)
    *loc = InternStack(thr, at);
  ObservedEvent event = {};
  event.kind = EventKind::Pointer;
  event.loc = *loc;
  event.addr = addr;
  event.size = block;
  event.count = 1;
  Tell(thr, event);
}

void ObservePointers(Thread *thr, uptr addr, uptr size, const AccessPoint &at) {
  LocId loc = 0;
  constexpr uptr kPointer = sizeof(uptr);
  // A single one may lie anywhere, those of objects where pointers lie.
  uptr first = size == kPointer ? addr : RoundUpTo(addr, kPointer);
  for (uptr p = first; p + kPointer <= addr + size; p += kPointer) {
    uptr value;
    internal_memcpy(&value, reinterpret_cast<const void *>(p), kPointer);
    TellPointer(thr, p, value, &loc, at);
  }
}

void ObserveArgument(Thread *thr, uptr value, const AccessPoint &at) {
  LocId loc = 0;
  TellPointer(thr, 0, value, &loc, at);
}

// --- Others. -----------------------------------------------------------------

void ObserveSlow(Thread *thr, EventKind kind, uptr addr, uptr size,
                 const AccessPoint &at, bool is_stack, const char *name) {
  if (!thr)
    return;
  ObservedEvent event = {};
  event.kind = kind;
  event.is_stack = is_stack;
  event.loc = at.pc ? InternStack(thr, at) : 0;
  event.addr = addr;
  event.size = size;
  event.count = 1;
  event.name = name;
  ScopedInRuntime in_runtime(thr);
  Tell(thr, event);
  if (atsan::trace::isOfLock(kind))
    KeepLock(thr, kind, addr);
}

void ObserveThreadName(Thread *thr, u32 number, const char *name) {
  if (!IsObserved() || !thr)
    return;
  ForEachObserver([&](const Observer &o) {
    if (o.on_thread_name)
      o.on_thread_name(thr, number, name);
  });
}

void ObserveThreadDelete(Thread *thr) {
  // Removed ones, too: they have made something for it.
  for (u32 i = 0; i < num_slots; i++)
    if (slots[i].observer->on_thread_delete)
      slots[i].observer->on_thread_delete(thr);
}

}  // namespace __atsan
