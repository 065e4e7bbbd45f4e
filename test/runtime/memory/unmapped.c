// RUN: %clang_atsan -O1 -I%inputs %s -o %t
// Intent: what is remembered of unmapped memory takes no memory any more, also
// where each mapping is at another address, in regions or between them; nor
// does what is remembered of a block of malloc that is a mapping of its own.
// RUN: %silent %t
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.h"
#include "resident.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static const size_t kSize = 4 << 20;

// Accesses a byte of each `step`.
static void use_mappings(int count, int step) {
  for (int i = 0; i < count; i++) {
    // Beside each other, so that none is where another has been.
    static char *next = (char *)0x300000000000;
    char *memory = mmap(next, kSize, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      abort();
    next = memory + kSize;
    __atomic_begin();
    for (size_t at = 0; at < kSize; at += step) memory[at] = 1;
    if (i % 2)
      __atomic_end();
    munmap(memory, kSize);
    if (i % 2 == 0)
      __atomic_end();
  }
}

// The same with blocks that are larger than any that glibc puts beside others.
static void use_blocks(int count) {
  const size_t size = 40 << 20;
  for (int i = 0; i < count; i++) {
    char *memory = malloc(size);
    __atomic_begin();
    for (size_t at = 0; at < kSize; at += 8) memory[at] = 1;
    if (i % 2)
      __atomic_end();
    free(memory);
    if (i % 2 == 0)
      __atomic_end();
    // The next one must be elsewhere.
    mmap(memory - 16, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
}

int main(void) {
  const int steps[] = {8, 1 << 16};
  for (int i = 0; i < 2; i++) {
    use_mappings(4, steps[i]);
    const long before = resident_kib("Rss:");
    use_mappings(64, steps[i]);
    const long grown = resident_kib("Rss:") - before;
    if (grown > 4096)
      fprintf(stderr, "64 mappings, step %d: %ld KiB more\n", steps[i], grown);
  }
  use_blocks(4);
  const long before = resident_kib("Rss:");
  use_blocks(16);
  const long grown = resident_kib("Rss:") - before;
  if (grown > 4096)
    fprintf(stderr, "16 blocks: %ld KiB more\n", grown);
}
