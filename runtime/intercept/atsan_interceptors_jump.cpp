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

static void PrepareJump(const void *env) {
  EnsureReady();
  Thread *thr = cur_thread;
  if (!thr)
    return;
  JumpUnwind(thr, env, JumpBuffer::kLibcs);
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
