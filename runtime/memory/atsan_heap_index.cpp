//===-- atsan_heap_index.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bit for every 16 bytes of memory, set where a block begins, in leaves that
// are mapped when first needed; over it a bit for every word of these that may
// not be empty. A search goes down from the address to the next begin, and asks
// the table of blocks how far that one reaches.
//
//===----------------------------------------------------------------------===//
#include "runtime/memory/atsan_heap_index.h"

#include "runtime/memory/atsan_heap.h"
#include "sanitizer_common/sanitizer_atomic.h"

namespace __atsan {

atomic_uintptr_t *heap_index_leaves;

namespace {

// Allocators align to 16 bytes; one that does not shares a bit.
constexpr uptr kUnitShift = 4;
constexpr uptr kLeafShift = 26;  // Bytes that a leaf is about.
using atsan_abi::kAddressBits;
constexpr uptr kLeaves = 1ull << (kAddressBits - kLeafShift);
constexpr uptr kWords = 1ull << (kLeafShift - kUnitShift - 6);

struct Leaf {
  u64 begins[kWords];
  u64 summary[kWords / 64];  // Bits are never cleared.
};

// No block ever began below or above these.
atomic_uintptr_t lowest, highest;

uptr UnitOf(uptr addr) { return addr >> kUnitShift; }

Leaf *LeafAt(uptr number) {
  return reinterpret_cast<Leaf *>(
      atomic_load(&heap_index_leaves[number], memory_order_acquire));
}

Leaf *GetLeaf(uptr number) {
  if (Leaf *leaf = LeafAt(number))
    return leaf;
  uptr fresh = reinterpret_cast<uptr>(
      MmapNoReserveOrDie(sizeof(Leaf), "atsan heap index"));
  uptr expected = 0;
  if (atomic_compare_exchange_strong(&heap_index_leaves[number], &expected,
                                     fresh, memory_order_acq_rel))
    return reinterpret_cast<Leaf *>(fresh);
  UnmapOrDie(reinterpret_cast<void *>(fresh), sizeof(Leaf));
  return reinterpret_cast<Leaf *>(expected);
}

void Widen(uptr addr) {
  for (uptr old = atomic_load(&lowest, memory_order_relaxed); addr < old;)
    if (atomic_compare_exchange_weak(&lowest, &old, addr, memory_order_relaxed))
      break;
  for (uptr old = atomic_load(&highest, memory_order_relaxed); addr > old;)
    if (atomic_compare_exchange_weak(&highest, &old, addr,
                                     memory_order_relaxed))
      break;
}

// The highest set bit at `last` or below, in a bitmap.
bool FindLast(const u64 *bits, uptr last, uptr *found) {
  uptr word = last / 64;
  u64 value = __atomic_load_n(&bits[word], __ATOMIC_RELAXED) &
              (~0ull >> (63 - last % 64));
  while (!value) {
    if (word-- == 0)
      return false;
    value = __atomic_load_n(&bits[word], __ATOMIC_RELAXED);
  }
  *found = word * 64 + MostSignificantSetBitIndex(value);
  return true;
}

bool FindInLeaf(const Leaf *leaf, uptr last, uptr *found) {
  // The block begins in this word, or in an earlier one that the summary names.
  uptr word = last / 64;
  u64 value = __atomic_load_n(&leaf->begins[word], __ATOMIC_RELAXED) &
              (~0ull >> (63 - last % 64));
  while (!value) {
    if (word == 0 || !FindLast(leaf->summary, word - 1, &word))
      return false;
    value = __atomic_load_n(&leaf->begins[word], __ATOMIC_RELAXED);
  }
  *found = word * 64 + MostSignificantSetBitIndex(value);
  return true;
}

// The last begin at `addr` or below.
bool FindBegin(uptr addr, uptr *begin) {
  constexpr uptr kUnits = kWords * 64;
  uptr low = atomic_load(&lowest, memory_order_relaxed) >> kLeafShift;
  uptr last = UnitOf(addr) % kUnits;
  for (uptr number = addr >> kLeafShift;; number--, last = kUnits - 1) {
    const Leaf *leaf = LeafAt(number);
    uptr unit;
    if (leaf && FindInLeaf(leaf, last, &unit)) {
      *begin = (number << kLeafShift) + (unit << kUnitShift);
      return true;
    }
    if (number == low)
      return false;
  }
}

}  // namespace

void HeapIndexEnable() {
  if (heap_index_leaves)
    return;
  atomic_store(&lowest, ~0ull, memory_order_relaxed);
  heap_index_leaves = static_cast<atomic_uintptr_t *>(MmapNoReserveOrDie(
      kLeaves * sizeof(*heap_index_leaves), "atsan heap index"));
}

void HeapIndexAdd(uptr begin) {
  if (begin >> kAddressBits)
    return;
  Leaf *leaf = GetLeaf(begin >> kLeafShift);
  uptr word = UnitOf(begin) / 64 % kWords;
  __atomic_fetch_or(&leaf->begins[word], 1ull << UnitOf(begin) % 64,
                    __ATOMIC_RELAXED);
  u64 bit = 1ull << word % 64;
  u64 *summary = &leaf->summary[word / 64];
  if (!(__atomic_load_n(summary, __ATOMIC_RELAXED) & bit))
    __atomic_fetch_or(summary, bit, __ATOMIC_RELAXED);
  Widen(begin);
}

void HeapIndexRemove(uptr begin) {
  if (begin >> kAddressBits)
    return;
  if (Leaf *leaf = LeafAt(begin >> kLeafShift))
    __atomic_fetch_and(&leaf->begins[UnitOf(begin) / 64 % kWords],
                       ~(1ull << UnitOf(begin) % 64), __ATOMIC_RELAXED);
}

bool HeapIndexFind(uptr addr, uptr *begin) {
  // Most words are no pointers at all. (The highest block reaches further.)
  if (addr < atomic_load(&lowest, memory_order_relaxed) || addr >> kAddressBits)
    return false;
  uptr from = Min(addr, atomic_load(&highest, memory_order_relaxed));
  HeapBlock block;
  return FindBegin(from, begin) && HeapBlockAt(*begin, &block) &&
         addr - block.begin < Max<uptr>(block.size, 1);
}

}  // namespace __atsan
