//===-- atsan_heap.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash table of 16 bytes per live block, in shards so that threads which
// allocate in parallel seldom meet. Its size follows the number of live blocks.
// A few freed blocks per shard are remembered, because a report may be about
// memory that was freed a moment ago.
//
// No allocation but mmap, no call of intercepted functions.
//
//===----------------------------------------------------------------------===//
#include "runtime/memory/atsan_heap.h"

#include "runtime/location/atsan_location.h"
#include "runtime/memory/atsan_heap_index.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __atsan {

namespace {

constexpr u32 kShards = 64;
constexpr u32 kShardBits = 6;
constexpr u32 kRemembered = 16;
constexpr uptr kFirstCapacity = 16;    // The first table is part of the shard.
constexpr uptr kSecondCapacity = 256;  // The second table takes one page.

// Allocators align to 8 bytes, and user addresses have 47 bits: so a pointer
// fits in 44 bits, and the allocating thread beside it.
constexpr u32 kPointerShift = 3;
constexpr u32 kPointerBits = 44;
constexpr u32 kUnknownTid = (1u << (64 - kPointerBits)) - 1;

struct Entry {
  u64 place;  // 0: empty. Pointer and thread.
  u32 size;   // kHuge: see `huge`.
  u32 stack_id;

  uptr Begin() const {
    return (place & ((1ull << kPointerBits) - 1)) << kPointerShift;
  }
  u32 Tid() const { return static_cast<u32>(place >> kPointerBits); }
};
static_assert(sizeof(Entry) == 16, "one per live heap block");
static_assert(sizeof(Entry) * kHeapSlotsPerLine == SANITIZER_CACHE_LINE_SIZE,
              "neighbours have a line of the table");

constexpr u32 kHuge = ~0u;

struct HugeBlock {
  uptr begin;
  uptr size;
};

struct FreedBlock {
  Entry entry;  // place 0: none.
  uptr size;
};

class alignas(SANITIZER_CACHE_LINE_SIZE) Shard {
 public:
  void Insert(const Entry &entry, uptr size) {
    SpinMutexLock lock(&mutex_);
    // Long rows of used slots are slow to search.
    if ((live_ + 1) * 4 > capacity_ * 3)
      Resize(!capacity_                    ? kFirstCapacity
             : capacity_ == kFirstCapacity ? kSecondCapacity
                                           : capacity_ * 2);
    Entry *place = &table_[SlotWith(entry.Begin())];
    // A block that is known already was freed unseen.
    if (UNLIKELY(place->place && place->size == kHuge))
      RemoveHuge(entry.Begin());
    live_ += !place->place;
    *place = entry;
    if (UNLIKELY(entry.size == kHuge))
      huge_.push_back({entry.Begin(), size});
  }

  void Free(uptr ptr) {
    SpinMutexLock lock(&mutex_);
    if (!live_)
      return;
    uptr slot = SlotWith(ptr);
    const Entry entry = table_[slot];
    if (!entry.place)
      return;
    remembered_[next_remembered_++ % kRemembered] = {entry, SizeOf(entry)};
    if (UNLIKELY(entry.size == kHuge))
      RemoveHuge(ptr);
    live_--;
    CloseGap(slot);
    if (capacity_ > kSecondCapacity && live_ * 8 < capacity_)
      Resize(capacity_ / 2);
  }

  bool At(uptr begin, HeapBlock *out) {
    SpinMutexLock lock(&mutex_);
    if (!live_)
      return false;
    const Entry &entry = table_[SlotWith(begin)];
    if (!entry.place)
      return false;
    *out = Describe(entry, SizeOf(entry));
    return true;
  }

  bool FindLive(uptr addr, HeapBlock *out) {
    SpinMutexLock lock(&mutex_);
    for (uptr i = 0; i < capacity_; i++) {
      if (!table_[i].place || addr < table_[i].Begin())
        continue;
      HeapBlock block = Describe(table_[i], SizeOf(table_[i]));
      if (addr - block.begin < Max<uptr>(block.size, 1)) {
        *out = block;
        return true;
      }
    }
    return false;
  }

  bool FindFreed(uptr addr, HeapBlock *out) {
    SpinMutexLock lock(&mutex_);
    for (u32 i = 1; i <= kRemembered; i++) {
      const FreedBlock &block =
          remembered_[(next_remembered_ - i) % kRemembered];
      if (block.entry.place &&
          addr - block.entry.Begin() < Max<uptr>(block.size, 1)) {
        *out = Describe(block.entry, block.size);
        out->freed = true;
        return true;
      }
    }
    return false;
  }

  void Lock() { mutex_.Lock(); }
  void Unlock() { mutex_.Unlock(); }

 private:
  uptr Slot(uptr ptr) const { return HeapTablePlace(ptr) & (capacity_ - 1); }

  // Returns the slot of the block, or an empty one.
  uptr SlotWith(uptr ptr) const {
    uptr slot = Slot(ptr);
    while (table_[slot].place && table_[slot].Begin() != ptr)
      slot = (slot + 1) & (capacity_ - 1);
    return slot;
  }

  void Place(const Entry &entry) {
    uptr slot = Slot(entry.Begin());
    while (table_[slot].place)
      slot = (slot + 1) & (capacity_ - 1);
    table_[slot] = entry;
  }

  // Moves later entries of the probe sequence up, so that no tombstones pile
  // up in a table that sees millions of frees.
  void CloseGap(uptr gap) {
    uptr mask = capacity_ - 1;
    for (uptr i = (gap + 1) & mask; table_[i].place; i = (i + 1) & mask) {
      uptr home = Slot(table_[i].Begin());
      if (((i - home) & mask) < ((i - gap) & mask))
        continue;
      table_[gap] = table_[i];
      gap = i;
    }
    table_[gap] = {};
  }

  void Resize(uptr capacity) {
    Entry *old_table = table_;
    uptr old_capacity = capacity_;
    table_ = capacity == kFirstCapacity
                 ? first_table_
                 : static_cast<Entry *>(
                       MmapOrDie(capacity * sizeof(Entry), "atsan heap table"));
    capacity_ = capacity;
    // Each page is written before it is read: the kernel stops all processors
    // to put a page of its own where one was read that is all zeroes.
    for (uptr i = 0; i < capacity; i += kSecondCapacity)
      *const_cast<volatile u64 *>(&table_[i].place) = 0;
    for (uptr i = 0; i < old_capacity; i++)
      if (old_table[i].place)
        Place(old_table[i]);
    if (old_capacity > kFirstCapacity)
      UnmapOrDie(old_table, old_capacity * sizeof(Entry));
  }

  uptr SizeOf(const Entry &entry) const {
    for (uptr i = 0; UNLIKELY(entry.size == kHuge) && i < huge_.size(); i++)
      if (huge_[i].begin == entry.Begin())
        return huge_[i].size;
    return entry.size;
  }

  static HeapBlock Describe(const Entry &entry, uptr size) {
    return {entry.Begin(), size, entry.stack_id, entry.Tid(), false};
  }

  void RemoveHuge(uptr ptr) {
    for (uptr i = 0; i < huge_.size(); i++) {
      if (huge_[i].begin == ptr) {
        huge_[i] = huge_.back();
        huge_.pop_back();
        return;
      }
    }
  }

  StaticSpinMutex mutex_;
  Entry *table_;
  uptr capacity_;  // A power of two, or 0.
  uptr live_;
  // The sizes of blocks of 4 GiB and more.
  InternalMmapVectorNoCtor<HugeBlock> huge_;
  FreedBlock remembered_[kRemembered];
  u32 next_remembered_;
  Entry first_table_[kFirstCapacity];
};

Shard shards[kShards];

// Allocators give threads memory of their own, so neighbours are in one shard:
// threads that allocate in parallel do not fight for the cache lines of any.
constexpr u32 kAreaShift = 16;
Shard &ShardOf(uptr ptr) {
  return shards[HeapHash(ptr >> kAreaShift) >> (64 - kShardBits)];
}

}  // namespace

void HeapBlockAllocated(Thread *thr, uptr ptr, uptr size,
                        const AccessPoint &at) {
  u64 tid = Min(thr->tid, kUnknownTid);
  u32 stack_id = LIKELY(common_flags()->fast_unwind_on_malloc)
                     ? InternStack(thr, at)
                     : InternStackByTables(at);
  Entry entry = {ptr >> kPointerShift | tid << kPointerBits,
                 static_cast<u32>(Min<uptr>(size, kHuge)), stack_id};
  ShardOf(ptr).Insert(entry, size);
  if (UNLIKELY(HeapIndexIsEnabled()))
    HeapIndexAdd(ptr);
}

void HeapBlockFreed(uptr ptr) {
  if (UNLIKELY(HeapIndexIsEnabled()))
    HeapIndexRemove(ptr);
  ShardOf(ptr).Free(ptr);
}

bool heap_is_unseen;
bool libc_is_unseen;

bool HeapBlockAt(uptr begin, HeapBlock *out) {
  return ShardOf(begin).At(begin, out);
}

bool HeapBlockFind(uptr addr, HeapBlock *out) {
  bool found = false;
  for (u32 i = 0; i < kShards && !found; i++)
    found = shards[i].FindLive(addr, out);
  for (u32 i = 0; i < kShards && !found; i++)
    found = shards[i].FindFreed(addr, out);
  if (found && out->alloc_tid == kUnknownTid)
    out->alloc_tid = ~0u;
  return found;
}

void HeapLockForFork() {
  for (Shard &shard : shards)
    shard.Lock();
}

void HeapUnlockAfterFork() {
  for (Shard &shard : shards)
    shard.Unlock();
}

}  // namespace __atsan
