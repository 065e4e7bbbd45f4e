/*===- logging_runtime.c - Every hook prints what it was told --------------===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* In place of the runtime, for loops_differential.py. Only accesses to `arena`
|* are printed, as "r OFFSET SIZE" and "w OFFSET SIZE". The gate is open;
whether
|* the thread is in a region is said by the first argument of the program.
|*
\*===----------------------------------------------------------------------===*/
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { kArena = 1 << 16 };
char arena[kArena] __attribute__((aligned(64)));
uint32_t __atsan_gate = 1, __atsan_enabled = 1;
static int in_region;

static void print(char kind, const void *at, uint64_t size) {
  uint64_t offset = (uint64_t)((const char *)at - arena);
  if (offset < kArena)
    printf("%c %d %d\n", kind, (int)offset, (int)size);
}

#define HOOKS(size)                                                            \
  void __atsan_read##size(void *at) { print('r', at, size); }                  \
  void __atsan_write##size(void *at) { print('w', at, size); }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)

void __atsan_read_range(void *at, uint64_t size) { print('r', at, size); }
void __atsan_write_range(void *at, uint64_t size) { print('w', at, size); }

static void run(char kind, char *first, uint32_t count) {
  if (count < 2)
    printf("bad hook for a run: %d accesses\n", (int)count);
  for (uint32_t i = 0; i < count; ++i)
    print(kind, first + 8 * i, 8);
}

void __atsan_read8_run(void *first, uint32_t count) { run('r', first, count); }
void __atsan_write8_run(void *first, uint32_t count) { run('w', first, count); }

#define RUN_HOOKS(count)                                                       \
  void __atsan_read8_run##count(void *first) { run('r', first, count); }       \
  void __atsan_write8_run##count(void *first) { run('w', first, count); }
RUN_HOOKS(2)
RUN_HOOKS(3)
RUN_HOOKS(4)

static void strided(char kind, char *first, uint64_t size, int64_t stride,
                    uint64_t count) {
  if (count == 0 || count > kArena || size == 0 || size > 16)
    printf("bad strided hook: %d bytes, %d times\n", (int)size, (int)count);
  else
    for (uint64_t i = 0; i < count; ++i)
      print(kind, first + (int64_t)i * stride, size);
}

void __atsan_read_strided(void *first, uint64_t size, int64_t stride,
                          uint64_t count) {
  strided('r', first, size, stride, count);
}

void __atsan_write_strided(void *first, uint64_t size, int64_t stride,
                           uint64_t count) {
  strided('w', first, size, stride, count);
}

static void rows(char kind, char *first, uint64_t size, uint64_t width,
                 int64_t stride, uint64_t count) {
  if (!in_region)
    printf("hook for rows outside regions\n");
  for (uint64_t i = 0; i < width; ++i)
    strided(kind, first + i * size, size, stride, count);
}

void __atsan_read_rows(void *first, uint64_t size, uint64_t width,
                       int64_t stride, uint64_t count) {
  rows('r', first, size, width, stride, count);
}

void __atsan_write_rows(void *first, uint64_t size, uint64_t width,
                        int64_t stride, uint64_t count) {
  rows('w', first, size, width, stride, count);
}

uint32_t __atsan_in_region(void) { return in_region; }

void *__atsan_memcpy(void *to, const void *from, uint64_t size) {
  print('r', from, size);
  print('w', to, size);
  return memcpy(to, from, size);
}

void *__atsan_memmove(void *to, const void *from, uint64_t size) {
  print('r', from, size);
  print('w', to, size);
  return memmove(to, from, size);
}

void *__atsan_memset(void *to, int byte, uint64_t size) {
  print('w', to, size);
  return memset(to, byte, size);
}

#define STACK_HOOKS(name)                                                      \
  void __atsan_stack_##name(void *at, uint64_t size) { (void)at, (void)size; } \
  void __atsan_stack_##name##8(void *at) { (void)at; }                         \
  void __atsan_stack_##name##16(void *at) { (void)at; }                        \
  void __atsan_stack_##name##32(void *at) { (void)at; }
STACK_HOOKS(birth)
STACK_HOOKS(death)

void __atsan_init_module(uint32_t abi, uint32_t flags) {
  (void)abi, (void)flags;
}

/* What the programs call: a visible point. */
void visible(void) { puts("visible"); }

int run_all(void);
int main(int argc, char **argv) {
  in_region = argc > 1 && argv[1][0] == '1';
  for (int i = 0; i < kArena; ++i)
    arena[i] = (char)(i * 37 >> 3);
  printf("result %d\n", run_all());
  unsigned sum = 0;
  for (int i = 0; i < kArena; ++i)
    sum = sum * 31 + (unsigned char)arena[i];
  printf("sum %u\n", sum);
  return 0;
}
