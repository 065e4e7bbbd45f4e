//===-- atsan_escape.cpp ----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bookkeeping of atsan_escape.h: blocks by address, pointers by word.
//
//===----------------------------------------------------------------------===//
#include "lib/reduction/atsan_escape.h"

namespace __atsan {

EscapeMap::~EscapeMap() {
  Vector<Block *> all;
  FindAll(0, ~0ull, &all);
  for (uptr i = 0; i < all.Size(); i++) {
    Unlink(all[i]);
    Drop(all[i]);
  }
}

void EscapeMap::Born(u32 thread, uptr addr, uptr size, bool is_stack) {
  Died(addr, size);
  constexpr uptr kEnd = 1ull << 62;
  if (is_stack || !size || size > 1ull << kMaxLevel || addr > kEnd ||
      addr + size > kEnd)
    return;  // A stack variable, or no real block. Never born means escaped.
  Block *b = blocks_.Take();
  b->begin = addr;
  b->size = size;
  b->owner = thread;
  b->level =
      Max<u32>(kMinLevel, size == 1 ? 0 : Log2(RoundUpToPowerOfTwo(size)));
  Link(b);
}

void EscapeMap::Died(uptr addr, uptr size) {
  if (!levels_ || !size)
    return;
  Block *b = Find(addr);
  if (b && b->begin == addr && b->size == size) {
    Unlink(b);
    Drop(b);
    return;
  }
  Vector<Block *> found;
  FindAll(addr, size, &found);
  for (uptr i = 0; i < found.Size(); i++) {
    b = found[i];
    if (b->begin >= addr && b->size <= size - (b->begin - addr)) {
      Unlink(b);
      Drop(b);
    }
  }
  // A part of what reaches over either end lives on, and is nobody's block.
  if (Block *first = Find(addr))
    Escape(first);
  if (Block *last = Find(addr + size - 1))
    Escape(last);
}

void EscapeMap::PointerStored(uptr word, uptr target) {
  if (!levels_)
    return;
  Block *holder = word ? Find(word) : nullptr;
  Block *t = Find(target);
  if (!holder || (t && t->owner != holder->owner)) {
    if (t)
      Escape(t);
    return;
  }
  if (auto *known = pointers_.find(word)) {
    known->second = target;
  } else if (t && t != holder) {
    pointers_[word] = target;
    holder->words.PushBack(word);
  }
}

bool EscapeMap::HasEscaped(u32 thread, uptr addr, uptr size) {
  if (!levels_)
    return true;
  if (thread >= recent_.Size())
    recent_.Resize(thread + 1);
  Block *b = recent_[thread];
  if (b && addr - b->begin < b->size && size <= b->size - (addr - b->begin))
    return false;
  b = Find(addr);
  if (!b)
    return true;
  if (b->owner != thread || size > b->size - (addr - b->begin)) {
    Escape(b);
    return true;
  }
  recent_[thread] = b;
  return false;
}

EscapeMap::Block *EscapeMap::Find(uptr addr) {
  for (u64 rest = levels_; rest; rest &= rest - 1) {
    const uptr bucket = Bucket(LeastSignificantSetBitIndex(rest), addr);
    auto *head = buckets_.find(bucket);
    if (!head)
      continue;
    for (Block *b = head->second; b; b = *Next(b, bucket))
      if (addr - b->begin < b->size)
        return b;
  }
  return nullptr;
}

void EscapeMap::FindAll(uptr addr, uptr size, Vector<Block *> *found) {
  const uptr last = addr + size - 1 < addr ? ~0ull : addr + size - 1;
  const auto visit = [&](uptr bucket, Block *head) {
    for (Block *b = head; b; b = *Next(b, bucket))
      // A block in two buckets counts in the first that the range reaches.
      if (b->begin <= last && b->begin + b->size - 1 >= addr &&
          bucket == Bucket(b->level, Max(addr, b->begin)))
        found->PushBack(b);
  };
  uptr wanted = 0;
  for (u64 rest = levels_; rest; rest &= rest - 1) {
    const u32 level = LeastSignificantSetBitIndex(rest);
    wanted += (last >> level) - (addr >> level) + 1;
  }
  if (wanted > buckets_.size()) {
    buckets_.forEach([&](auto &entry) {
      visit(entry.first, entry.second);
      return true;
    });
    return;
  }
  for (u64 rest = levels_; rest; rest &= rest - 1) {
    const u32 level = LeastSignificantSetBitIndex(rest);
    for (uptr i = addr >> level; i <= last >> level; i++) {
      const uptr bucket = Bucket(level, i << level);
      if (auto *head = buckets_.find(bucket))
        visit(bucket, head->second);
    }
  }
}

void EscapeMap::Link(Block *b) {
  const uptr first = Bucket(b->level, b->begin);
  const uptr last = Bucket(b->level, b->begin + b->size - 1);
  Insert(b, first);
  if (last != first)
    Insert(b, last);
  if (!in_level_[b->level]++)
    levels_ |= 1ull << b->level;
}

void EscapeMap::Unlink(Block *b) {
  const uptr first = Bucket(b->level, b->begin);
  const uptr last = Bucket(b->level, b->begin + b->size - 1);
  Remove(b, first);
  if (last != first)
    Remove(b, last);
  if (!--in_level_[b->level])
    levels_ &= ~(1ull << b->level);
}

void EscapeMap::Insert(Block *b, uptr bucket) {
  Block *&head = buckets_[bucket];
  *Next(b, bucket) = head;
  head = b;
}

void EscapeMap::Remove(Block *b, uptr bucket) {
  auto *head = buckets_.find(bucket);
  for (Block **at = &head->second; *at; at = Next(*at, bucket)) {
    if (*at != b)
      continue;
    *at = *Next(b, bucket);
    break;
  }
  if (!head->second)
    buckets_.erase(head);
}

void EscapeMap::Drop(Block *unlinked) {
  for (uptr i = 0; i < unlinked->words.Size(); i++)
    pointers_.erase(unlinked->words[i]);
  if (unlinked->owner < recent_.Size() && recent_[unlinked->owner] == unlinked)
    recent_[unlinked->owner] = nullptr;
  blocks_.GiveBack(unlinked);
}

// Blocks that are taken out of the buckets have escaped: they are found no
// more.
void EscapeMap::Escape(Block *b) {
  Vector<Block *> work;
  Unlink(b);
  work.PushBack(b);
  while (work.Size()) {
    b = work[work.Size() - 1];
    work.PopBack();
    for (uptr i = 0; i < b->words.Size(); i++) {
      auto *pointer = pointers_.find(b->words[i]);
      if (Block *target = Find(pointer->second)) {
        Unlink(target);
        work.PushBack(target);
      }
    }
    Drop(b);
  }
}

}  // namespace __atsan
