//===-- atsan_schedule_objects.cpp ----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
#include "runtime/schedule/atsan_schedule_objects.h"

#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {
namespace {

struct Lock {
  u32 owner;  // Number of a thread, plus 1; 0: none.
  u32 depth;
  u32 readers;
  bool held_unseen;
  bool is_robust;

  bool IsIdle() const { return !owner && !readers && !held_unseen; }
};

// Signals that nobody has taken yet, by when they came.
struct Signals {
  InternalMmapVector<u64> times;
};

struct Objects {
  DenseMap<uptr, Lock> locks;
  DenseMap<uptr, Signals *> conditions;
  DenseMap<uptr, u32> arrived;  // At barriers.
};

Objects &Get() {
  alignas(Objects) static char storage[sizeof(Objects)];
  static Objects *objects;
  if (!objects)
    objects = new (storage) Objects();
  return *objects;
}

}  // namespace

bool LockIsFree(uptr lock, u32 thread, bool shared) {
  auto *found = Get().locks.find(lock);
  if (!found)
    return true;
  const Lock &l = found->second;
  if (l.held_unseen)
    return false;
  if (l.owner)
    return l.owner == thread + 1;
  return shared || !l.readers;
}

void NoteLocked(uptr lock, u32 thread, bool shared) {
  Lock &l = Get().locks[lock];
  if (shared) {
    l.readers++;
    return;
  }
  l.owner = thread + 1;
  l.depth++;
}

void NoteHeldUnseen(uptr lock) { Get().locks[lock].held_unseen = true; }

void NoteUnlocked(uptr lock, u32 thread) {
  auto *found = Get().locks.find(lock);
  if (!found)
    return;
  Lock &l = found->second;
  l.held_unseen = false;
  if (l.owner) {
    if (--l.depth == 0)
      l.owner = 0;
  } else if (l.readers) {
    l.readers--;
  }
  if (l.IsIdle())
    Get().locks.erase(lock);
}

void NoteRobust(uptr lock) { Get().locks[lock].is_robust = true; }

void NoteEndOfHolder(u32 thread) {
  InternalMmapVector<uptr> given_back;
  Get().locks.forEach([&](auto &lock) {
    if (lock.second.owner == thread + 1 && lock.second.is_robust)
      given_back.push_back(lock.first);
    return true;
  });
  for (const uptr lock : given_back)
    Get().locks.erase(lock);
}

u32 HolderOf(uptr lock) {
  auto *found = Get().locks.find(lock);
  return found && found->second.owner ? found->second.owner - 1 : kNoThread;
}

// How many of those that wait, and came at these times, the signals wake. Some
// signals wake nobody any more: a broadcast or a time-out came before them.
static u32 CountWoken(const Signals &signals,
                      const InternalMmapVector<u64> &waiting) {
  u32 woken = 0;
  for (const u64 time : signals.times) {
    u32 came_before = 0;
    for (const u64 came : waiting)
      came_before += came < time;
    woken = Min(woken + 1, came_before);
  }
  return woken;
}

void NoteSignal(uptr condition, u64 now,
                const InternalMmapVector<u64> &waiting) {
  Signals *&signals = Get().conditions[condition];
  if (!signals)
    signals = new (InternalAlloc(sizeof(Signals))) Signals();
  if (CountWoken(*signals, waiting) < waiting.size())
    signals->times.push_back(now);
}

static u64 *FindSignal(uptr condition, u64 ticket) {
  auto *found = Get().conditions.find(condition);
  if (!found)
    return nullptr;
  for (u64 &time : found->second->times)
    if (time > ticket)
      return &time;
  return nullptr;
}

bool HasSignalFor(uptr condition, u64 ticket) {
  return FindSignal(condition, ticket) != nullptr;
}

void TakeSignal(uptr condition, u64 ticket) {
  u64 *time = FindSignal(condition, ticket);
  if (!time)
    return;
  auto &times = Get().conditions[condition]->times;
  for (; time + 1 != times.end(); time++)
    time[0] = time[1];
  times.pop_back();
}

bool ArriveAt(uptr barrier, u32 parties) {
  u32 &arrived = Get().arrived[barrier];
  if (++arrived < parties)
    return false;
  Get().arrived.erase(barrier);
  return true;
}

void ForgetObjects() {
  Objects &objects = Get();
  objects.conditions.forEach([](auto &entry) {
    entry.second->~Signals();
    InternalFree(entry.second);
    return true;
  });
  objects.locks.clear();
  objects.conditions.clear();
  objects.arrived.clear();
}

}  // namespace __atsan
