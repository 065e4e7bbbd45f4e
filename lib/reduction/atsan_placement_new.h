//===-- atsan_placement_new.h -----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Placement new for headers that both the runtime, which has no standard
// library, and hosted code include.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_PLACEMENT_NEW_H
#define ATSAN_PLACEMENT_NEW_H

#if __has_include(<new>)
#include <new>
#else
#include "sanitizer_common/sanitizer_placement_new.h"
#endif

#endif  // ATSAN_PLACEMENT_NEW_H
