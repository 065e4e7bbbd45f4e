//===-- atsan_early_allocator.h ---------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks for who calls malloc before the runtime is ready: dlsym does, for each
// function that this libc lacks; code that runs before a shared runtime, such
// as that of -pg, may want large ones. The internal allocator touches a
// megabyte for the first block; few programs need it otherwise. So the first
// blocks come from a small arena, and only more than that from there.
//
// One thread allocates here, as in __atsan_init; any thread may free later.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_EARLY_ALLOCATOR_H
#define ATSAN_EARLY_ALLOCATOR_H

#include "interception/interception.h"
#include "runtime/state/atsan_init.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

class EarlyAllocator {
 public:
  static bool Use() { return UNLIKELY(!runtime_ready); }

  static bool PointerIsMine(const void *ptr) {
    return UNLIKELY(IsInArena(ptr)) ||
           (UNLIKELY(overflowed_) && internal_allocator()->PointerIsMine(ptr));
  }

  static void *Allocate(uptr size) {
    uptr bytes = RoundUpTo(size, kAlignment) + sizeof(Header);
    if (bytes < size || bytes > sizeof(arena_) - used_) {
      overflowed_ = true;
      return InternalAlloc(size, nullptr, kAlignment);
    }
    auto *header = reinterpret_cast<Header *>(arena_ + used_);
    header->size = size;
    used_ += bytes;
    live_++;
    return header + 1;
  }

  static void *Callocate(uptr number, uptr size) {
    uptr bytes;
    if (__builtin_mul_overflow(number, size, &bytes))
      return nullptr;
    void *ptr = Allocate(bytes);
    internal_memset(ptr, 0, bytes);
    return ptr;
  }

  static void Free(void *ptr) {
    if (!IsInArena(ptr))
      return InternalFree(ptr);
    if (Use() && --live_ == 0)
      used_ = 0;
  }

  static uptr Size(const void *ptr) {
    return IsInArena(ptr) ? static_cast<const Header *>(ptr)[-1].size
                          : internal_allocator()->GetActuallyAllocatedSize(
                                const_cast<void *>(ptr));
  }

 private:
  static constexpr uptr kAlignment = 16;
  struct alignas(kAlignment) Header {
    uptr size;
  };

  static bool IsInArena(const void *ptr) {
    return reinterpret_cast<uptr>(ptr) - reinterpret_cast<uptr>(arena_) <
           sizeof(arena_);
  }

  alignas(kAlignment) inline static char arena_[4096];
  inline static uptr used_;
  inline static u32 live_;
  inline static bool overflowed_;
};

}  // namespace __atsan

#endif  // ATSAN_EARLY_ALLOCATOR_H
