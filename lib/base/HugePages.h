//===- HugePages.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory for large tables that are read at places without order. There nearly
// each read misses the processor's table of pages; with pages of 2 MiB few do.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_BASE_HUGEPAGES_H
#define ATSAN_BASE_HUGEPAGES_H

#include <cstddef>
#include <new>
#include <sys/mman.h>

namespace atsan {

/// An allocator for standard containers. What is smaller than a huge page comes
/// from where everything comes from. Throws std::bad_alloc; thread-safe.
template <typename T> class HugePages {
public:
  using value_type = T;

  HugePages() = default;
  template <typename U> HugePages(const HugePages<U> &) {}

  T *allocate(size_t Count) {
    const size_t Bytes = Count * sizeof(T);
    if (Bytes < PageBytes)
      return static_cast<T *>(::operator new(Bytes));
    void *Memory = ::operator new(Bytes, std::align_val_t(PageBytes));
    madvise(Memory, Bytes, MADV_HUGEPAGE); // Without it all is only slower.
    return static_cast<T *>(Memory);
  }
  void deallocate(T *Memory, size_t Count) {
    if (Count * sizeof(T) < PageBytes)
      ::operator delete(Memory);
    else
      ::operator delete(Memory, std::align_val_t(PageBytes));
  }

  template <typename U> bool operator==(const HugePages<U> &) const {
    return true;
  }
  template <typename U> bool operator!=(const HugePages<U> &) const {
    return false;
  }

private:
  static constexpr size_t PageBytes = size_t(2) << 20;
};

} // namespace atsan

#endif // ATSAN_BASE_HUGEPAGES_H
