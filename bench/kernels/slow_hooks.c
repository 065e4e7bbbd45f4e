//===-- slow_hooks.c ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked with a program (bench/ablation) by the linker option --wrap: the hooks
// for aligned accesses without their quick tests. Every access goes to the
// checker, by the hook for ranges.
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
