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

// A setjmp call with this buffer follows, in a frame at `sp`.
void JumpRecordTarget(Thread *thr, uptr env, uptr sp);

// Whose setjmp filled a buffer: libc's, or __builtin_setjmp.
enum class JumpBuffer { kLibcs, kCompilers };

// The thread is about to jump there, also out of a signal handler that
// interrupted our own code: ends the regions that were begun since, and undoes
// whatever the jump would leave half done.
void JumpUnwind(Thread *thr, const void *env, JumpBuffer kind);

}  // namespace __atsan

#endif  // ATSAN_JUMP_H
