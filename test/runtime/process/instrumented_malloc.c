// RUN: for i in -O0 -O1 -O2; do for j in "" -shared-libsan; do %clang_atsan $i $j -ftls-model=initial-exec -fno-builtin %s -o %t && %silent %run %t || exit 1; done; done
// Intent: the loader calls malloc before the runtime is ready. If that is the
// program's own, and instrumented, its code that seldom runs has hooks of all
// shapes that ask for no gate.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct Limits {
  uint64_t first, last, step;
};

struct Heap {
  struct Limits limits;
  uint64_t words[4];
  uint32_t half;
  uint16_t quarter;
  uint8_t byte;
  char *next;
};

static char memory[1 << 20] __attribute__((aligned(16)));
static struct Limits usual = {16, sizeof(memory), 16};
static struct Heap none, heap;
static __thread struct Heap *mine = &none;

__attribute__((noinline)) static void begin(struct Heap *h) {
  asm volatile("" : "+r"(h)::"memory");
  h->limits = usual;
  h->words[0] = h->words[1] = h->words[2] = h->words[3] = h->limits.step;
  h->half += h->words[0] + h->words[1] + h->words[2];
  h->quarter += h->half;
  h->byte += h->quarter;
  for (int i = 0; i < 3; i++) h->words[i] += h->byte;
  h->next = memory;
  mine = h;
}

__attribute__((noinline)) static void *take(struct Heap *h, size_t size) {
  if (__builtin_expect(h == &none, 0)) {
    begin(&heap);
    h = mine;
  }
  char *block = h->next;
  *(size_t *)block = size;
  h->next += size;
  return block + 16;
}

void *malloc(size_t size) { return take(mine, (size + 31) & ~15ul); }
void free(void *block) { (void)block; }
void *calloc(size_t count, size_t size) {
  void *block = malloc(count * size);
  return memset(block, 0, count * size);
}
void *realloc(void *old, size_t size) {
  char *block = malloc(size);
  for (size_t i = 0; old && i < size; i++) block[i] = ((char *)old)[i];
  return block;
}

int main(void) { return malloc(8) == NULL; }
