//===-- atsan_interceptors_signal.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signal actions: the program's, unless handle_...=2 keeps a signal for us.
// Handlers are called by the kernel as they are; nothing is deferred.
//
//===----------------------------------------------------------------------===//
#include "atsan_interceptors.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_platform_interceptors.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

using namespace __atsan;

#define COMMON_INTERCEPT_FUNCTION(name) INTERCEPT_FUNCTION(name)
#define SIGNAL_INTERCEPTOR_ENTER() EnsureReady()

#define SIGNAL_INTERCEPTOR_SIGACTION_IMPL(signum, act, oldact) \
  {                                                            \
    ATSAN_ENTER(sigaction, signum, act, oldact);               \
    recorder.ReadObject(act);                                  \
    int res = REAL(sigaction)(signum, act, oldact);            \
    if (res == 0)                                              \
      recorder.WriteObject(oldact);                            \
    return res;                                                \
  }

#include "sanitizer_common/sanitizer_signal_interceptors.inc"

ATSAN_INTERCEPTOR_ENTRY(signals, InitializeSignalInterceptors())
