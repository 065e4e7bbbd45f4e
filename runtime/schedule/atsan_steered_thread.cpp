//===-- atsan_steered_thread.cpp ------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps for each lock the thread that holds it; among readers, the last one.
//
//===----------------------------------------------------------------------===//
#include "runtime/schedule/atsan_steered_thread.h"

#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {
namespace {

struct Owned {
  SteeredThread *owner;
  u32 depth;
};

DenseMap<uptr, Owned> &Locks() {
  alignas(
      DenseMap<uptr, Owned>) static char storage[sizeof(DenseMap<uptr, Owned>)];
  static DenseMap<uptr, Owned> *locks;
  if (!locks)
    locks = new (storage) DenseMap<uptr, Owned>();
  return *locks;
}

}  // namespace

SteeredThread *OwnerOf(uptr lock) {
  auto *found = Locks().find(lock);
  return found ? found->second.owner : nullptr;
}

void NoteSteeredLock(uptr lock, SteeredThread *owner) {
  Owned &owned = Locks()[lock];
  owned.depth = owned.owner == owner ? owned.depth + 1 : 1;
  owned.owner = owner;
}

void NoteSteeredUnlock(uptr lock, SteeredThread *owner) {
  auto *found = Locks().find(lock);
  if (found && found->second.owner == owner && --found->second.depth == 0)
    Locks().erase(lock);
}

SteeredThread *BlockerOf(const SteeredThread *t, bool *needs_lock) {
  if (t->joined)
    return t->joined;
  if (!t->wanted_lock)
    return nullptr;
  SteeredThread *owner = OwnerOf(t->wanted_lock);
  *needs_lock |= owner && owner != t;
  return owner != t ? owner : nullptr;
}

}  // namespace __atsan
