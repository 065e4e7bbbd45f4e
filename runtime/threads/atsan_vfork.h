//===-- atsan_vfork.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The child of vfork has the memory of its parent, down to the thread-local
// variables of the thread that called it, which waits until the child ends or
// becomes another program. Nothing that the child does counts: while it runs,
// the thread has no state, as one that has ended.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_VFORK_H
#define ATSAN_VFORK_H

#include "runtime/state/atsan_thread.h"

namespace __atsan {

// Whether the caller is such a child.
extern ATSAN_HIDDEN
    __attribute__((tls_model("initial-exec"))) THREADLOCAL bool in_vfork_child;

// What the parent was before the call. Small enough for two registers, which
// the kernel keeps for each of the two: memory is the child's to change.
struct VforkParent {
  uptr state;  // Its Thread, or kInChild.
  u64 signal_mask;

  static constexpr uptr kInChild = 1;
};

// Right before the system call. Until VforkReturns, signals are blocked: a
// handler would run without a state, or leave without one by a jump. (Both have
// names that assembly can spell.)
VforkParent VforkBegins() asm("atsan_vfork_begins");

// Right behind it, in the child and in the parent. `result` is the kernel's;
// returns libc's.
long VforkReturns(long result, VforkParent parent) asm("atsan_vfork_returns");

}  // namespace __atsan

#endif  // ATSAN_VFORK_H
