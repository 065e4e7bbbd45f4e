// RUN: for how in MUTEX RWLOCK SPIN ONCE FILES; do %clangxx_atsan -O1 -I%inputs -D$how %s -o %t && %exits 66 %t bad 2>&1 | FileCheck %s && %silent %t || exit 1; done
// RUN: for how in MUTEX FILES; do %clangxx_atsan -O1 -I%inputs -shared-libsan -D$how %s -o %t && %exits 66 %t bad 2>&1 | FileCheck %s && %silent %t || exit 1; done
// Intent: a program with a malloc of its own, which calls functions that the
// runtime intercepts, begins as well as any other one: the loader calls malloc
// while the runtime looks for the real functions. Then it is checked.
// CHECK: Region 'deposit' of T1 is not atomic
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#if defined(MUTEX)
static void take() { pthread_mutex_lock(&mutex); }
static void give_back() { pthread_mutex_unlock(&mutex); }
#elif defined(RWLOCK)
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void take() { pthread_rwlock_wrlock(&lock); }
static void give_back() { pthread_rwlock_unlock(&lock); }
#elif defined(SPIN)
static pthread_spinlock_t lock = 1; // Free, on this machine.
static void take() { pthread_spin_lock(&lock); }
static void give_back() { pthread_spin_unlock(&lock); }
#elif defined(ONCE)
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void take() {
  pthread_once(&once, [] { pthread_key_create(&key, nullptr); });
  while (pthread_mutex_trylock(&mutex)) sched_yield();
}
static void give_back() {
  pthread_setspecific(key, &key);
  pthread_mutex_unlock(&mutex);
}
#else
// What allocators ask the system for.
static void take() {
  static bool asked;
  pthread_mutex_lock(&mutex);
  if (asked)
    return;
  asked = true;
  char text[64];
  int file = open("/proc/sys/vm/overcommit_memory", O_RDONLY);
  if (file >= 0 && read(file, text, sizeof(text)) >= 0)
    close(file);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  void *page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(page, 4096, MADV_DONTNEED);
  munmap(page, 4096);
  if (const char *value = getenv("OWN_MALLOC"))
    snprintf(text, sizeof(text), "%ld %s", strtol(value, nullptr, 10), value);
}
static void give_back() { pthread_mutex_unlock(&mutex); }
#endif

alignas(64) static char memory[1 << 26];
static size_t used;

static void *allocate(size_t alignment, size_t size) {
  take();
  used = (used + sizeof(size_t) + alignment - 1) & ~(alignment - 1);
  char *block = memory + used;
  used += size;
  give_back();
  if (used > sizeof(memory))
    abort();
  memcpy(block - sizeof(size_t), &size, sizeof(size));
  __atsan_memory_birth(block, size);
  return block;
}

extern "C" {
size_t malloc_usable_size(void *block) {
  size_t size = 0;
  if (block)
    memcpy(&size, static_cast<char *>(block) - sizeof(size), sizeof(size));
  return size;
}
void *malloc(size_t size) { return allocate(16, size); }
void free(void *) {}
void *calloc(size_t count, size_t size) {
  return memset(malloc(count * size), 0, count * size);
}
void *realloc(void *old, size_t size) {
  void *block = malloc(size);
  size_t kept = malloc_usable_size(old);
  return old ? memcpy(block, old, kept < size ? kept : size) : block;
}
void *memalign(size_t alignment, size_t size) {
  return allocate(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  return allocate(alignment, size);
}
int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = allocate(alignment, size);
  return 0;
}
}

int main(int argc, char **argv) {
  bool bad = called_with(argc, argv, "bad");
  int *balance = new int(0);
  in_parallel(
      [=] {
        atsan::atomic_region region("deposit");
        int seen;
        STEP(1) seen = *balance;
        STEP(3) *(bad ? balance : new int) = seen + 1;
      },
      [=] {
        STEP(2) *balance = 5;
      });
}
