//===-- atsan_lock_edges.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Alone, because it looks into a type of pthread.h, whose functions cannot be
// intercepted under other types beside it.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_lock_edges.h"

#include <pthread.h>

namespace __atsan {

LockMode RwlockMode(const void *rwlock) {
  auto *lock = static_cast<const pthread_rwlock_t *>(rwlock);
  // Only its holder may ask, so that this does not change meanwhile.
  return lock->__data.__cur_writer ? LockMode::kExclusive : LockMode::kShared;
}

}  // namespace __atsan
