//===-- atsan_library_new.h -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C++ library's operator new has no frame pointer. By frame pointers, the
// stack of a block would lack the one function that matters, that with the
// `new`.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LIBRARY_NEW_H
#define ATSAN_LIBRARY_NEW_H

#include "runtime/state/atsan_thread.h"

namespace __atsan {

// Looks for the C++ library, which may come later than the runtime.
void LibraryNewInit();

// Where its code is; size 0 without it.
struct CodeRange {
  uptr begin;
  uptr size;
};
extern ATSAN_HIDDEN CodeRange library_new;

AccessPoint SkipLibraryNew(Thread *thr, AccessPoint at, uptr sp);

// The caller of operator new, if `at` is there; else `at`. `sp`: the stack
// pointer there.
inline AccessPoint CallerOfNew(Thread *thr, AccessPoint at, uptr sp) {
  if (at.pc - library_new.begin >= library_new.size)
    return at;
  return SkipLibraryNew(thr, at, sp);
}

}  // namespace __atsan

#endif  // ATSAN_LIBRARY_NEW_H
