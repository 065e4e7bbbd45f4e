// RUN: split-file %s %t.dir
// RUN: %clang -g -O1 -fPIC -shared %t.dir/allocator.c -o %t.so
// RUN: %clang -g -O1 -c %t.dir/allocator.c -o %t.o
// RUN: %clang -g -O1 -DIS_TOLD -c %t.dir/allocator.c -o %t.told.o
// Intent: a block that another allocator hands out twice has two lives: one
// that comes behind the runtime's malloc, though it cannot say the size of a
// block, and one in front of it that tells of births and deaths. Of one in
// front that does not, the program is warned.
// RUN: %clangxx_atsan -O1 -I%inputs %t.dir/main.cpp %t.so -o %t.behind && %silent %t.behind
// RUN: %clangxx_atsan -O1 -I%inputs %t.dir/main.cpp -o %t.plain && env LD_PRELOAD=%t.so %silent %t.plain
// RUN: %clangxx_atsan -O1 -I%inputs %t.dir/main.cpp %t.told.o -o %t.told && %silent %t.told
// RUN: %clangxx_atsan -O1 -I%inputs %t.dir/main.cpp %t.o -o %t.front && not %t.front 2>&1 | FileCheck %s
// CHECK: WARNING: AtomicitySanitizer: this program's own malloc stands in front of the runtime's
//
// The twin: one life is one.
// RUN: %exits 66 %t.behind bad 2>&1 | FileCheck --check-prefix=BAD --implicit-check-not=WARNING %s
// RUN: %exits 66 %t.told bad 2>&1 | FileCheck --check-prefix=BAD --implicit-check-not=WARNING %s
// BAD: Region 'r' of T1 is not atomic
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//--- allocator.c
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#ifdef IS_TOLD
// The header's are empty in code without the flag.
void __atsan_memory_birth(const void *begin, size_t size);
void __atsan_memory_death(const void *begin, size_t size);
#else
#define __atsan_memory_birth(begin, size)
#define __atsan_memory_death(begin, size)
#endif

enum { kReused = 1000 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char memory[1 << 26] __attribute__((aligned(64)));
static size_t used;
static char *last_freed;

static size_t size_of(void *block) { return ((size_t *)block)[-1]; }

void *malloc(size_t size) {
  pthread_mutex_lock(&mutex);
  char *block = last_freed;
  if (block && size == kReused)
    last_freed = 0;
  else {
    block = memory + used + 64;
    used += (size + 127) / 64 * 64;
    ((size_t *)block)[-1] = size;
  }
  pthread_mutex_unlock(&mutex);
  __atsan_memory_birth(block, size);
  return block;
}
void free(void *block) {
  if (!block || size_of(block) != kReused)
    return;
  __atsan_memory_death(block, kReused);
  pthread_mutex_lock(&mutex);
  last_freed = block;
  pthread_mutex_unlock(&mutex);
}
void *calloc(size_t count, size_t size) {
  return memset(malloc(count * size), 0, count * size);
}
void *realloc(void *old, size_t size) {
  void *block = malloc(size);
  if (old)
    memcpy(block, old, size_of(old) < size ? size_of(old) : size);
  return block;
}
void *memalign(size_t alignment, size_t size) {
  (void)alignment;
  return malloc(size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return 0;
}

//--- main.cpp
#include "atsan_test.hpp"

static int shared_datum;

static void use() {
  char *volatile block = static_cast<char *>(malloc(1000));
  block[0] = 1;
  block = static_cast<char *>(realloc(block, 2000));
  if (block[0] != 1)
    abort();
  block = static_cast<char *>(malloc(1000));
  block[0] = 1;
  free(block);
}

int main(int argc, char **argv) {
  const bool bad = called_with(argc, argv, "bad");
  in_parallel(
      [=] {
        atsan::atomic_region region("r");
        STEP(1) {
          use();
          USE(shared_datum);
        }
        STEP(3) {
          use();
          if (bad)
            shared_datum = 1;
        }
      },
      [=] {
        STEP(2) {
          use();
          shared_datum = 2;
        }
      });
}
