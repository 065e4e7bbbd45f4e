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

enum PlaceFlags : u32 { kLookedUp = 1, kShared = 2 };

// Granules of an access that are looked at; what is behind is not learned.
constexpr uptr kMostGranules = 64;

// What is known of a granule in this run.
struct Granule {
  Place *place;  // Where `thread` accessed it last.
  u32 thread;    // The first one that has accessed it.
  bool is_shared;
  bool is_written;
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

void AddPlace(Place *place) {
  if (place->flags & kShared)
    return;
  place->flags |= kShared;
  u32 &known = Get().keys[PlaceKey(place)];
  if (!known)
    Get().is_new = true;
  known = 1;
}

void NoteGranule(Place *place, u32 thread, uptr granule, bool is_write) {
  auto [entry, is_first] =
      Get().granules.insert({granule, {place, thread, false, is_write}});
  Granule &g = entry->second;
  if (is_first)
    return;
  g.is_written |= is_write;
  if (g.thread == thread && !g.is_shared) {
    g.place = place;
    return;
  }
  g.is_shared = true;
  if (!g.is_written)
    return;
  AddPlace(g.place);
  AddPlace(place);
}

}  // namespace

bool NoteAccess(Place *place, u32 thread, uptr addr, uptr size, bool is_write) {
  ScopedSchedulerLock lock;
  Get().accesses++;
  if (!(place->flags & kLookedUp)) {
    place->flags |= kLookedUp;
    if (Get().keys.find(PlaceKey(place)))
      place->flags |= kShared;
  }
  const uptr first = addr / atsan_abi::kGranule;
  const uptr last = (addr + (size ? size - 1 : 0)) / atsan_abi::kGranule;
  for (uptr g = first; g <= last && g - first < kMostGranules; g++)
    NoteGranule(place, thread, g, is_write);
  return place->flags & kShared;
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
