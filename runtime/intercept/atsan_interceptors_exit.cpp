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
#include "runtime/options/atsan_flags.h"
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

// With the flag, a library finds libc before the runtime. To load it without
// may bind names of its own to those of others.
static void RefuseDeepBind(const char *file) {
  Report(
      "ERROR: %s: the program loads '%s' with RTLD_DEEPBIND: the runtime would "
      "see no lock, no thread and no memory of this library. Load it without "
      "that flag, where __SANITIZE_ATOMICITY__ is defined "
      "(docs/integration.md)\n",
      SanitizerToolName, file ? file : "(null)");
  ExitForBadSetup();
}

// A jump, not a call: libc takes the search path of the module that called.
ATSAN_INTERCEPTOR(void *, dlopen, const char *file, int flags) {
  EnsureReady();
  constexpr int kDeepBind = 8;  // RTLD_DEEPBIND
  if (UNLIKELY(flags & kDeepBind))
    RefuseDeepBind(file);
  [[clang::musttail]] return REAL(dlopen)(file, flags);
}
