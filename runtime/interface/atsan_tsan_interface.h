//===-- atsan_tsan_interface.h ---------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the functions of ThreadSanitizer's runtime are defined in ours.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_TSAN_INTERFACE_H
#define ATSAN_TSAN_INTERFACE_H

#include "sanitizer_common/sanitizer_internal_defs.h"

// Weak: programs bring definitions of their own for builds without a sanitizer.
#define TSAN_INTERFACE \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE SANITIZER_WEAK_ATTRIBUTE

#endif  // ATSAN_TSAN_INTERFACE_H
