/*===- hooks.c - What the pass calls ------------------------------------------
===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* The hooks of the runtime for plain accesses tell the recorder; what else the
|* pass calls does nothing.
|*
\*===----------------------------------------------------------------------===*/
#include "recorder.h"

#define HOOKS(size)                                                            \
  void __atsan_read##size(void *at) { hook(at, size, kHookRead); }             \
  void __atsan_write##size(void *at) { hook(at, size, kHookWrite); }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
void __atsan_read_range(void *at, uint64_t size) { hook(at, size, kHookRead); }
void __atsan_write_range(void *at, uint64_t size) {
  hook(at, size, kHookWrite);
}

#define RANGE_HOOKS(size)                                                      \
  void __atsan_read_range##size(void *at) { hook(at, size, kHookRead); }       \
  void __atsan_write_range##size(void *at) { hook(at, size, kHookWrite); }
RANGE_HOOKS(16)
RANGE_HOOKS(24)
RANGE_HOOKS(32)

static void rows(char *first, uint64_t size, uint64_t width, int64_t stride,
                 uint64_t count, unsigned what) {
  for (uint64_t i = 0; i < count; ++i)
    for (uint64_t j = 0; j < width; ++j)
      hook(first + (int64_t)i * stride + j * size, size, what);
}
void __atsan_read8_run(void *at, uint32_t n) {
  rows(at, 8, n, 0, 1, kHookRead);
}
void __atsan_write8_run(void *at, uint32_t n) {
  rows(at, 8, n, 0, 1, kHookWrite);
}
#define RUN_HOOKS(n)                                                           \
  void __atsan_read8_run##n(void *at) { rows(at, 8, n, 0, 1, kHookRead); }     \
  void __atsan_write8_run##n(void *at) { rows(at, 8, n, 0, 1, kHookWrite); }
RUN_HOOKS(2)
RUN_HOOKS(3)
RUN_HOOKS(4)
void __atsan_read_strided(void *at, uint64_t size, int64_t stride,
                          uint64_t count) {
  rows(at, size, 1, stride, count, kHookRead);
}
void __atsan_write_strided(void *at, uint64_t size, int64_t stride,
                           uint64_t count) {
  rows(at, size, 1, stride, count, kHookWrite);
}
void __atsan_read_rows(void *at, uint64_t size, uint64_t width, int64_t stride,
                       uint64_t count) {
  rows(at, size, width, stride, count, kHookRead);
}
void __atsan_write_rows(void *at, uint64_t size, uint64_t width, int64_t stride,
                        uint64_t count) {
  rows(at, size, width, stride, count, kHookWrite);
}
/* The atomics are told by the machine code. */
uint32_t __atsan_atomic_enter(void *at, uint64_t size) { return 0; }
void __atsan_atomic_exit(void *at, uint64_t size, uint32_t kind, uint32_t t) {}
#define STACK_HOOKS(name)                                                      \
  void __atsan_stack_##name(void *at, uint64_t size) {}                        \
  void __atsan_stack_##name##8(void *at) {}                                    \
  void __atsan_stack_##name##16(void *at) {}                                   \
  void __atsan_stack_##name##32(void *at) {}
STACK_HOOKS(birth)
STACK_HOOKS(death)
void __atsan_frame_birth(void) {}
void __atsan_frame_death(void) {}
void __atsan_setjmp(void *buffer) {}
void __atsan_builtin_longjmp(void *buffer) {}
void __atsan_region_begin(void *at) {}
void __atsan_region_end(void) {}
void __atsan_region_frame_left(void) {}
void __atsan_init_module(uint32_t abi, uint32_t flags) {}
void __atsan_exclude_regions(void *list) {}
void __atsan_critical_sections(void) {}
