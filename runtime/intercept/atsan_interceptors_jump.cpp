//===-- atsan_interceptors_jump.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Jumps out of regions. No object with a destructor may be alive at the jump.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/threads/atsan_jump.h"

using namespace __atsan;

static void PrepareJump(const void *env, JumpBuffer kind = JumpBuffer::kLibcs) {
  EnsureReady();
  Thread *thr = cur_thread;
  if (!thr)
    return;
  JumpUnwind(thr, env, kind);
}

#define ATSAN_JUMP_INTERCEPTOR(func)                    \
  ATSAN_INTERCEPTOR(void, func, void *env, int value) { \
    PrepareJump(env);                                   \
    REAL(func)(env, value);                             \
  }

ATSAN_JUMP_INTERCEPTOR(longjmp)
ATSAN_JUMP_INTERCEPTOR(_longjmp)
ATSAN_JUMP_INTERCEPTOR(siglongjmp)
ATSAN_JUMP_INTERCEPTOR(__longjmp_chk)

// Tail calls, so that libc saves the state of the program's code.

ATSAN_INTERCEPTOR(int, setcontext, const void *to) {
  PrepareJump(to, JumpBuffer::kContext);
  [[clang::musttail]] return REAL(setcontext)(to);
}

ATSAN_INTERCEPTOR(int, swapcontext, void *from, const void *to) {
  PrepareJump(to, JumpBuffer::kContext);
  [[clang::musttail]] return REAL(swapcontext)(from, to);
}
