//===-- atsan_escape.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic escape analysis (TSE'06 section 3): which memory other threads can
// reach. A block escapes when a pointer to it is stored in memory that has
// escaped, or handed to a thread; with it all that it points to. Memory of
// which no birth was seen has escaped, and so have stack variables: the
// compiler sees which of them do not escape from their function, and where
// pointers to the others are stored is not told.
//
// Conservative where something was not seen: a block that another thread
// accesses has escaped; a pointer that was overwritten by something else still
// counts. Not thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_ESCAPE_H
#define ATSAN_ESCAPE_H

#include "lib/reduction/atsan_pool.h"
#include "sanitizer_common/sanitizer_dense_map.h"
#include "sanitizer_common/sanitizer_vector.h"

namespace __atsan {

class EscapeMap {
 public:
  ~EscapeMap();

  // [addr, addr + size) becomes a block of `thread`.
  void Born(u32 thread, uptr addr, uptr size, bool is_stack);
  void Died(uptr addr, uptr size);
  // The word at `word` (0: the argument of a new thread) now points to the
  // block at `target`.
  void PointerStored(uptr word, uptr target);
  // May other threads know these bytes? To be called for every access.
  bool HasEscaped(u32 thread, uptr addr, uptr size);

  uptr LiveBlocks() const { return blocks_.Taken(); }

 private:
  // A live block that has not escaped. One that has needs no record.
  struct Block {
    uptr begin;
    uptr size;
    u32 owner;
    u8 level;
    Vector<uptr> words;  // Keys of pointers_ that lie in the block.
    Block *next[2];      // The next in its first and its last bucket.
  };

  // Blocks are found by address through buckets of 2^level bytes, at the level
  // at which a block lies in at most two.
  static uptr Bucket(u32 level, uptr addr) {
    return static_cast<uptr>(level) << 58 | (addr >> level & kBucketMask);
  }
  static constexpr uptr kBucketMask = (1ull << 58) - 1;
  static constexpr u32 kMinLevel = 4;
  static constexpr u32 kMaxLevel = 56;

  static Block **Next(Block *b, uptr bucket) {
    return &b->next[Bucket(b->level, b->begin) != bucket];
  }
  Block *Find(uptr addr);
  void FindAll(uptr addr, uptr size, Vector<Block *> *found);
  void Link(Block *b);
  void Unlink(Block *b);
  void Insert(Block *b, uptr bucket);
  void Remove(Block *b, uptr bucket);
  void Drop(Block *unlinked);
  void Escape(Block *b);

  Pool<Block> blocks_;
  DenseMap<uptr, Block *> buckets_;
  DenseMap<uptr, uptr> pointers_;  // From words of blocks to targets.
  u64 levels_ = 0;                 // The levels in use, as a bit set.
  u32 in_level_[64] = {};
  Vector<Block *> recent_;  // The block that each thread accessed last.
};

}  // namespace __atsan

#endif  // ATSAN_ESCAPE_H
