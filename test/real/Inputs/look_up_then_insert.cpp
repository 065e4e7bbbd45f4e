//===-- look_up_then_insert.cpp -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A user's mistake with a thread-safe library: each operation of LevelDB's
// cache is atomic, but not "make the value unless it is cached". Two threads
// both miss, and make the value twice. With the argument `locked`, a mutex
// repairs it.
//
//===----------------------------------------------------------------------===//

#include "turns.h"

#include <sanitizer/atsan.hpp>

#include <leveldb/cache.h>

#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

leveldb::Cache *Cache;
std::mutex RepairMutex;
bool Locked;
int Made;

void deleteValue(const leveldb::Slice &, void *Value) {
  delete static_cast<int *>(Value);
}

template <typename F> void cacheOnce(F AfterMiss) {
  std::unique_lock<std::mutex> Lock(RepairMutex, std::defer_lock);
  if (Locked)
    Lock.lock();
  atsan::atomic_region Region("cache once");
  leveldb::Cache::Handle *Handle = Cache->Lookup("key");
  if (!Handle) {
    AfterMiss();
    Handle = Cache->Insert("key", new int(42), 1, deleteValue);
    ++Made;
  }
  Cache->Release(Handle);
}

// The second thread comes in after the first one's miss, unless it is locked
// out.
void first() {
  waitForStep(0);
  cacheOnce([] {
    if (Locked)
      return;
    stepDone();
    waitForStep(2);
  });
  if (Locked)
    stepDone();
}

void second() {
  waitForStep(1);
  cacheOnce([] {});
  stepDone();
}

} // namespace

int main(int Argc, char **Argv) {
  Locked = Argc > 1 && !strcmp(Argv[1], "locked");
  Cache = leveldb::NewLRUCache(100);
  std::thread A(first), B(second);
  A.join();
  B.join();
  delete Cache;
  printf("made %d times\n", Made);
}
