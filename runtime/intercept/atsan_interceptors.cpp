//===-- atsan_interceptors.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Installs the interceptors.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_interceptors.h"

extern "C" {
// The linker makes these from the section's name.
extern const __atsan::InstallInterceptor __start_atsan_interceptors[]
    __attribute__((visibility("hidden")));
extern const __atsan::InstallInterceptor __stop_atsan_interceptors[]
    __attribute__((visibility("hidden")));
}

namespace __atsan {

// May be called in the middle of itself: to look up a function that libc does
// not have allocates, and a program may bring its own malloc, with a lock in
// it, say, whose function is still to be found. Then the inner call goes on
// where the outer one is.
void InterceptorsInit() {
  static const InstallInterceptor *next = __start_atsan_interceptors;
  while (next != __stop_atsan_interceptors)
    (*next++)();
  AllocatorInit();
}

}  // namespace __atsan
