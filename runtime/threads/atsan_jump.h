//===-- atsan_jump.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Non-local jumps: which regions were open when a jmp_buf was filled.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_JUMP_H
#define ATSAN_JUMP_H

#include "runtime/state/atsan_thread.h"

namespace __atsan {

// A call of setjmp or getcontext with this buffer follows at `pc`, in a frame
// at `sp`.
void JumpRecordTarget(Thread *thr, uptr env, uptr sp, uptr pc);

// What fills a buffer: libc's setjmp, __builtin_setjmp, or getcontext.
enum class JumpBuffer { kLibcs, kCompilers, kContext };

// The thread is about to jump there, also out of a signal handler that
// interrupted our own code: ends the regions that were begun since, and undoes
// whatever the jump would leave half done. A jump to another stack leaves
// nothing: all that a thread runs is one thread of execution.
void JumpUnwind(Thread *thr, const void *env, JumpBuffer kind);

void JumpLockForFork();
void JumpUnlockAfterFork();

}  // namespace __atsan

#endif  // ATSAN_JUMP_H
