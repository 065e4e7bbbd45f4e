//===-- atsan_schedule_shared.cpp -----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
#include "runtime/schedule/atsan_schedule_shared.h"

#include "runtime/schedule/atsan_schedule_file.h"
#include "runtime/schedule/atsan_scheduler.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {
namespace {

// kMeetsLibrary: a place of the program accesses what a call of a library may,
// too, in another thread.
enum PlaceFlags : u32 {
  kLookedUp = 1,
  kShared = 2,
  kLibrary = 4,
  kMeetsLibrary = 8
};

// Granules of an access that are looked at; what is behind is not learned.
constexpr uptr kMostGranules = 1 << 16;
// Granules of a freed block that are forgotten. Behind them, a false conflict
// with what was there before costs points, and nothing else.
constexpr uptr kMostForgotten = 1 << 16;

// The last access of a thread, of a kind, to these bytes.
struct LastAccess {
  Place *place;
  u32 thread;
  u32 period;
  u8 bytes;  // A bit for each of the granule's.
  bool is_write;
};

// What is known of a granule in this run. With more accesses than there is room
// for, it counts as shared, and as one that calls of a library meet, whatever
// starts and ends of threads order.
struct Granule {
  static constexpr u32 kMost = 8;
  LastAccess last[kMost];
  u32 count;
  bool is_full;
};

struct Learned {
  DenseMap<uptr, Granule> granules;
  DenseMap<u64, u32> keys;  // Names the places of shared memory.
  bool is_new;
  u64 accesses;  // Counts those of this run.
};

Learned &Get() {
  alignas(Learned) static char storage[sizeof(Learned)];
  static Learned *learned;
  if (!learned)
    learned = new (storage) Learned();
  return *learned;
}

void AddKey(u64 key) {
  u32 &known = Get().keys[key];
  if (!known)
    Get().is_new = true;
  known = 1;
}
bool HasKey(u64 key) { return Get().keys.find(key) != nullptr; }

// Names of what is learned. kLibraryIsShared: so is a place in a library.
constexpr u64 kLibraryIsShared = 1;
u64 KeyOfShared(const Place *place) { return PlaceKey(place); }
u64 KeyOfMeeting(const Place *place) { return ~PlaceKey(place); }

// `flags`: kShared, and perhaps kMeetsLibrary.
void Learn(Place *place, u32 flags) {
  const u32 learned = flags & ~place->flags;
  place->flags |= flags;
  if (learned & kShared)
    AddKey(KeyOfShared(place));
  if (learned & kShared && place->flags & kLibrary)
    AddKey(kLibraryIsShared);
  if (learned & kMeetsLibrary)
    AddKey(KeyOfMeeting(place));
}

void NoteGranule(const ScheduledThread *self, uptr granule,
                 const LastAccess &access) {
  Granule &g = Get().granules[granule];
  LastAccess *own = nullptr;
  u32 learned = 0;
  for (u32 i = 0; i < g.count; i++) {
    LastAccess &other = g.last[i];
    if (!(other.bytes & access.bytes))
      continue;
    // An access that it replaces has been told of as much as this one will be:
    // searches let others come right before the next one of the thread.
    if (other.thread == access.thread && other.is_write == access.is_write &&
        !(other.bytes & ~access.bytes))
      own = &other;
    if (!(other.is_write || access.is_write) ||
        Knows(self, other.thread, other.period))
      continue;
    const u32 flags = (other.place->flags ^ access.place->flags) & kLibrary
                          ? kShared | kMeetsLibrary
                          : kShared;
    learned |= flags;
    Learn(other.place, flags);
  }
  if (own) {
    *own = access;
  } else if (g.count < Granule::kMost) {
    g.last[g.count++] = access;
  } else if (!g.is_full) {
    g.is_full = true;
    for (const LastAccess &other : g.last)
      Learn(other.place, kShared | kMeetsLibrary);
  }
  Learn(access.place, g.is_full ? kShared | kMeetsLibrary : learned);
}

// The bytes of the granule that begins there, of those of the access.
u8 BytesOf(uptr begin, uptr addr, uptr end) {
  constexpr u32 kAll = (1u << atsan_abi::kGranule) - 1;
  u32 bytes = kAll;
  if (addr > begin)
    bytes &= kAll << (addr - begin);
  if (end < begin + atsan_abi::kGranule)
    bytes &= (1u << (end - begin)) - 1;
  return static_cast<u8>(bytes);
}

}  // namespace

bool IsShared(Place *place) {
  ScopedSchedulerLock lock;
  if (!(place->flags & kLookedUp)) {
    place->flags |= kLookedUp;
    if (HasKey(KeyOfShared(place)))
      place->flags |= kShared;
    if (HasKey(KeyOfMeeting(place)))
      place->flags |= kMeetsLibrary;
  }
  return place->flags & kShared;
}

bool MeetsLibrary(const Place *place) {
  if (!(place->flags & kMeetsLibrary))
    return false;
  ScopedSchedulerLock lock;
  return HasKey(kLibraryIsShared);
}

void NoteAccess(Place *place, const ScheduledThread *self, uptr addr, uptr size,
                bool is_write) {
  ScopedSchedulerLock lock;
  const uptr end = addr + Max<uptr>(size, 1);
  const uptr first = addr / atsan_abi::kGranule;
  const uptr last = (end - 1) / atsan_abi::kGranule;
  for (uptr g = first; g <= last && g - first < kMostGranules; g++)
    NoteGranule(self, g,
                {place, self->number, self->period,
                 BytesOf(g * atsan_abi::kGranule, addr, end), is_write});
}

void MarkAsLibrary(Place *place) { place->flags |= kLibrary; }

void ForgetAccesses(uptr addr, uptr size) {
  ScopedSchedulerLock lock;
  const uptr first = addr / atsan_abi::kGranule;
  const uptr last = (addr + (size ? size - 1 : 0)) / atsan_abi::kGranule;
  for (uptr g = first; g <= last && g - first < kMostForgotten; g++)
    Get().granules.erase(g);
}

void CountAccess() {
  ScopedSchedulerLock lock;
  Get().accesses++;
}

u64 NumAccesses() { return Get().accesses; }

bool HasLearned() { return Get().is_new; }

void BeginLearning() {
  Get().granules.clear();
  Get().is_new = false;
  Get().accesses = 0;
}

void AppendSharedPlaces(InternalMmapVector<u64> *keys) {
  Get().keys.forEach([&](auto &entry) {
    keys->push_back(entry.first);
    return true;
  });
}

void AddSharedPlaces(const u64 *keys, uptr count) {
  for (uptr i = 0; i < count; i++)
    Get().keys[keys[i]] = 1;
}

}  // namespace __atsan
