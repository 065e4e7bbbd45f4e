//===-- atsan_preinit.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts the runtime before any constructor of the executable or its libraries.
// Only in the static archive: .preinit_array is not allowed in shared objects.
//
//===----------------------------------------------------------------------===//
#include "runtime/state/atsan_init.h"

#if !SANITIZER_SHARED
__attribute__((section(".preinit_array"),
               used)) static void (*const preinit)() = __atsan_init;
#endif
