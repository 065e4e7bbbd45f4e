//===-- atsan_stack_depot.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// sanitizer_common's stack depot with the table that Android has: 256 KiB in
// place of 4 MiB. In the large one each of the first thousand stacks took a
// page of memory and two page faults, of which the second interrupts all
// processors, and the child of a fork read all of it.
//
//===----------------------------------------------------------------------===//
#include "sanitizer_common/sanitizer_atomic.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_hash.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_platform.h"
#include "sanitizer_common/sanitizer_stack_store.h"
#include "sanitizer_common/sanitizer_stackdepot.h"
#include "sanitizer_common/sanitizer_stackdepotbase.h"

// Changed after all headers, so that what these declare is as everywhere else.
#undef SANITIZER_ANDROID
#define SANITIZER_ANDROID 1
// NOLINTNEXTLINE(bugprone-suspicious-include): its table has no other seam.
#include "sanitizer_common/sanitizer_stackdepot.cpp"
