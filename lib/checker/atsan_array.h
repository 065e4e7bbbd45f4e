//===-- atsan_array.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays that grow: their sizes are powers of two, and what one gives back
// serves the next of its size. sanitizer_common's internal allocator does more,
// but has 1.3 MiB as soon as it is used, page fault by page fault.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_ARRAY_H
#define ATSAN_ARRAY_H

#include "lib/checker/atsan_defs.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __atsan {

// Takes an array of `bytes`: a power of two that is enough for a pointer.
void *TakeArray(uptr bytes);
void GiveArrayBack(void *array, uptr bytes);

template <typename T>
void FreeArray(T *array, uptr size) {
  if (size)
    GiveArrayBack(array, size * sizeof(T));
}

template <typename T>
void GrowArray(T **array, uptr old_size, uptr new_size, u8 fill) {
  T *grown = static_cast<T *>(TakeArray(new_size * sizeof(T)));
  internal_memcpy(grown, *array, old_size * sizeof(T));
  internal_memset(grown + old_size, fill, (new_size - old_size) * sizeof(T));
  FreeArray(*array, old_size);
  *array = grown;
}

// For tools with a limit: the arrays may take so many bytes more than they have
// by now, and those that were given back count. Beyond that they are full; what
// one operation needs is still given.
void LimitArrays(uptr more_bytes);
extern ATSAN_HIDDEN uptr arrays_bytes;
extern ATSAN_HIDDEN uptr arrays_max_bytes;
inline bool ArraysAreFull() { return arrays_bytes > arrays_max_bytes; }

// A fork holds it, too (CheckerLockForFork).
extern ATSAN_HIDDEN StaticSpinMutex arrays_mutex;

}  // namespace __atsan

#endif  // ATSAN_ARRAY_H
