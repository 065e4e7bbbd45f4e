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
#include "atsan_interceptors.h"

extern "C" {
// The linker makes these from the section's name.
extern const __atsan::InstallInterceptor __start_atsan_interceptors[]
    __attribute__((visibility("hidden")));
extern const __atsan::InstallInterceptor __stop_atsan_interceptors[]
    __attribute__((visibility("hidden")));
}

namespace __atsan {

void InterceptorsInit() {
  for (const InstallInterceptor *install = __start_atsan_interceptors;
       install != __stop_atsan_interceptors; install++)
    (*install)();
}

}  // namespace __atsan
