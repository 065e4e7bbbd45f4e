//===-- atsan_array.cpp -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/checker/atsan_array.h"

#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

struct FreeArrayLink {
  FreeArrayLink *next;
};

uptr arrays_bytes;
uptr arrays_max_bytes = ~static_cast<uptr>(0);
StaticSpinMutex arrays_mutex;
static LowLevelAllocator fresh_arrays;
// By binary logarithm of the size.
static FreeArrayLink *free_arrays[SANITIZER_WORDSIZE];

void *TakeArray(uptr bytes) {
  SpinMutexLock lock(&arrays_mutex);
  FreeArrayLink **list = &free_arrays[Log2(bytes)];
  FreeArrayLink *array = *list;
  if (!array) {
    arrays_bytes += bytes;
    return fresh_arrays.Allocate(bytes);
  }
  *list = array->next;
  return array;
}

void GiveArrayBack(void *array, uptr bytes) {
  SpinMutexLock lock(&arrays_mutex);
  FreeArrayLink **list = &free_arrays[Log2(bytes)];
  auto *link = static_cast<FreeArrayLink *>(array);
  link->next = *list;
  *list = link;
}

void LimitArrays(uptr more_bytes) {
  SpinMutexLock lock(&arrays_mutex);
  arrays_max_bytes = arrays_bytes + more_bytes;
  if (arrays_max_bytes < arrays_bytes)
    arrays_max_bytes = ~static_cast<uptr>(0);
}

}  // namespace __atsan
