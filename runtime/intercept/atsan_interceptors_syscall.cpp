//===-- atsan_interceptors_syscall.cpp ------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// <sanitizer/linux_syscall_hooks.h>: programs that enter the kernel without
// libc announce it by __sanitizer_syscall_pre_NAME and post_NAME.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_interceptors.h"
#include "sanitizer_common/sanitizer_platform.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

using namespace __atsan;

#define ATSAN_SYSCALL_ACCESS(what, addr, size)   \
  do {                                           \
    if (GateIsOpen()) {                          \
      ATSAN_RECORDER();                          \
      recorder.what((const void *)(addr), size); \
    }                                            \
  } while (0)

#define COMMON_SYSCALL_PRE_READ_RANGE(addr, size) \
  ATSAN_SYSCALL_ACCESS(Read, addr, size)
// A write is reported when it has happened.
#define COMMON_SYSCALL_PRE_WRITE_RANGE(addr, size) ((void)(addr))
#define COMMON_SYSCALL_POST_READ_RANGE(addr, size) \
  ATSAN_SYSCALL_ACCESS(Read, addr, size)
#define COMMON_SYSCALL_POST_WRITE_RANGE(addr, size) \
  ATSAN_SYSCALL_ACCESS(Write, addr, size)

#include "sanitizer_common/sanitizer_common_syscalls.inc"
