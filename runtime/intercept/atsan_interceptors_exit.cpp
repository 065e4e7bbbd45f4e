//===-- atsan_interceptors_exit.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exits, which may run no handlers, and libraries that would escape
// interception.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/report/atsan_checked.h"
#include "runtime/threads/atsan_vfork.h"
#include "sanitizer_common/sanitizer_common.h"

using namespace __atsan;

// Does not see libc's own call when main has returned. Goes on by a jump, so
// that no handler of the program has a frame of ours below it.
ATSAN_INTERCEPTOR(void, exit, int code) {
  EnsureReady();
  if (!in_vfork_child)
    NoteExitCall();
  [[clang::musttail]] return REAL(exit)(code);
}

ATSAN_INTERCEPTOR(void, _exit, int code) {
  EnsureReady();
  REAL(_exit)(AtExit(code));
}

// A jump, not a call: libc takes the search path of the module that called.
ATSAN_INTERCEPTOR(void *, dlopen, const char *file, int flags) {
  EnsureReady();
  CheckNoDeepBind(file, flags);
  [[clang::musttail]] return REAL(dlopen)(file, flags);
}
