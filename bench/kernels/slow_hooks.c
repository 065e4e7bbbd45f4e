//===-- slow_hooks.c ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked with a program (bench/ablation) by the linker option --wrap: the hooks
// for aligned accesses, and for runs of them, without their quick tests. Every
// access goes to the checker, by the hook for ranges.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>

void __atsan_read_range(void *Address, uintptr_t Size);
void __atsan_write_range(void *Address, uintptr_t Size);

// Tail calls: the caller's frame is the instrumented function's.
#define SLOW_HOOKS(Size)                                                       \
  void __wrap___atsan_read##Size(void *Address);                               \
  void __wrap___atsan_read##Size(void *Address) {                              \
    __atsan_read_range(Address, Size);                                         \
  }                                                                            \
  void __wrap___atsan_write##Size(void *Address);                              \
  void __wrap___atsan_write##Size(void *Address) {                             \
    __atsan_write_range(Address, Size);                                        \
  }
SLOW_HOOKS(1)
SLOW_HOOKS(2)
SLOW_HOOKS(4)
SLOW_HOOKS(8)

// Neighbours, one after the other. In a program without violations nobody asks
// whose frame it was.
static void readEach(char *First, uint32_t Count) {
  for (; Count; First += 8, Count--)
    __atsan_read_range(First, 8);
}
static void writeEach(char *First, uint32_t Count) {
  for (; Count; First += 8, Count--)
    __atsan_write_range(First, 8);
}

void __wrap___atsan_read8_run(char *First, uint32_t Count);
void __wrap___atsan_read8_run(char *First, uint32_t Count) {
  readEach(First, Count);
}
void __wrap___atsan_write8_run(char *First, uint32_t Count);
void __wrap___atsan_write8_run(char *First, uint32_t Count) {
  writeEach(First, Count);
}

#define SLOW_RUN_HOOKS(Count)                                                  \
  void __wrap___atsan_read8_run##Count(char *First);                           \
  void __wrap___atsan_read8_run##Count(char *First) {                          \
    readEach(First, Count);                                                    \
  }                                                                            \
  void __wrap___atsan_write8_run##Count(char *First);                          \
  void __wrap___atsan_write8_run##Count(char *First) {                         \
    writeEach(First, Count);                                                   \
  }
SLOW_RUN_HOOKS(2)
SLOW_RUN_HOOKS(3)
SLOW_RUN_HOOKS(4)
