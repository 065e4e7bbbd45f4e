//===-- atsan_lock_sets.cpp -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interning of atsan_lock_sets.h.
//
//===----------------------------------------------------------------------===//
#include "lib/reduction/atsan_lock_sets.h"

namespace __atsan {

static u64 Pair(u32 a, u32 b) { return static_cast<u64>(a) << 32 | b; }

LockSetId LockSets::Intern(u32 size) {
  if (!size)
    return kNoLocks;
  const u32 first = locks_.Size() - size;
  u64 hash = size;
  for (u32 i = 0; i < size; i++)
    hash = (hash ^ locks_[first + i]) * 0x9e3779b97f4a7c15ull;
  hash >>= 1;  // A map keeps two keys for itself.
  LockSetId &head = by_hash_[hash];
  for (LockSetId at = head; at; at = sets_[at].next) {
    const Set &s = sets_[at];
    if (s.size == size && !internal_memcmp(&locks_[s.first], &locks_[first],
                                           size * sizeof(LockId))) {
      locks_.Resize(first);
      return at;
    }
  }
  const LockSetId id = sets_.Size();
  sets_.PushBack({first, size, head});
  head = id;
  return id;
}

LockSetId LockSets::With(LockSetId set, LockId lock) {
  const u64 key = Pair(set, lock);
  if (auto *known = with_.find(key))
    return known->second;
  bool placed = false;
  const uptr size = SizeOf(set);
  uptr added = 0;
  for (uptr i = 0; i < size; i++) {
    const LockId old = At(set, i);
    if (!placed && old >= lock) {
      placed = true;
      if (old != lock) {
        locks_.PushBack(lock);
        added++;
      }
    }
    locks_.PushBack(old);
    added++;
  }
  if (!placed) {
    locks_.PushBack(lock);
    added++;
  }
  const LockSetId result = Intern(added);
  with_[key] = result;
  return result;
}

LockSetId LockSets::Without(LockSetId set, LockId lock) {
  uptr added = 0;
  for (uptr i = 0, size = SizeOf(set); i < size; i++) {
    const LockId old = At(set, i);
    if (old == lock)
      continue;
    locks_.PushBack(old);
    added++;
  }
  return Intern(added);
}

LockSetId LockSets::Intersect(LockSetId a, LockSetId b) {
  if (a == b || b == kAllLocks)
    return a;
  if (a == kAllLocks)
    return b;
  if (a == kNoLocks || b == kNoLocks)
    return kNoLocks;
  if (a > b)
    Swap(a, b);
  const u64 key = Pair(a, b);
  if (auto *known = common_.find(key))
    return known->second;
  uptr added = 0;
  for (uptr i = 0, j = 0; i < SizeOf(a) && j < SizeOf(b);) {
    const LockId x = At(a, i), y = At(b, j);
    if (x == y) {
      locks_.PushBack(x);
      added++;
    }
    i += x <= y;
    j += y <= x;
  }
  const LockSetId result = Intern(added);
  common_[key] = result;
  return result;
}

}  // namespace __atsan
