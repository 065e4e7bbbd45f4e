//===-- atsan_pool.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many small objects of one type, taken and given back one at a time: from
// chunks that stay mapped until the pool goes. Not thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_POOL_H
#define ATSAN_POOL_H

#include "lib/reduction/atsan_placement_new.h"
#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

using namespace __sanitizer;

template <typename T>
class Pool {
 public:
  Pool() = default;
  Pool(const Pool &) = delete;
  void operator=(const Pool &) = delete;
  // Objects that are still taken are not destroyed.
  ~Pool() {
    while (chunks_) {
      Chunk *next = chunks_->next;
      UnmapOrDie(chunks_, chunks_->size);
      chunks_ = next;
    }
  }

  T *Take() {
    if (!free_)
      Refill();
    Free *object = free_;
    free_ = object->next;
    taken_++;
    return new (object) T();
  }
  void GiveBack(T *object) {
    object->~T();
    Free *f = reinterpret_cast<Free *>(object);
    f->next = free_;
    free_ = f;
    taken_--;
  }
  uptr Taken() const { return taken_; }

 private:
  // The first chunk is small: some pools hold few objects.
  static constexpr uptr kFirstChunk = 1 << 12;
  static constexpr uptr kChunk = 1 << 16;
  struct Free {
    Free *next;
  };
  struct Chunk {
    Chunk *next;
    uptr size;
  };

  void Refill() {
    static_assert(sizeof(T) >= sizeof(Free) && sizeof(T) < kFirstChunk / 4, "");
    const uptr size = chunks_ ? kChunk : kFirstChunk;
    Chunk *chunk = static_cast<Chunk *>(MmapOrDie(size, "reduction"));
    chunk->next = chunks_;
    chunk->size = size;
    chunks_ = chunk;
    const uptr first = RoundUpTo(sizeof(Chunk), alignof(T));
    for (uptr at = first; at + sizeof(T) <= size; at += sizeof(T)) {
      Free *f = reinterpret_cast<Free *>(reinterpret_cast<uptr>(chunk) + at);
      f->next = free_;
      free_ = f;
    }
  }

  Chunk *chunks_ = nullptr;
  Free *free_ = nullptr;
  uptr taken_ = 0;
};

}  // namespace __atsan

#endif  // ATSAN_POOL_H
