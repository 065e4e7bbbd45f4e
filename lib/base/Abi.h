//===- Abi.h ----------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What code that the pass has compiled and the runtime that it is linked with
// must agree on, besides the hooks themselves (pass/base/RuntimeHooks.def).
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_BASE_ABI_H
#define ATSAN_BASE_ABI_H

namespace atsan_abi {

// Every module passes it to __atsan_init_module, and the runtime refuses other
// versions. It changes when old objects would be misunderstood.
constexpr unsigned kVersion = 1;

// Bits of the second argument of __atsan_init_module.
enum ModuleFlags : unsigned { kHasRegionMarks = 1, kHasSchedulePoints = 2 };

// Third argument of __atsan_atomic_exit: what the operation was.
enum AtomicKind : unsigned {
  kAtomicRead = 0,
  kAtomicWrite = 1,
  kAtomicReadModifyWrite = 2,
  kFailedExchange = 3,
  kFailedUpdate = 4, // No access: the operation tries again.
};

// Third argument of __atsan_schedule_point: what the thread is about to do. Of
// a plain access, the point also tells the checker.
enum PointKind : unsigned {
  kPointRead = 0,
  kPointWrite = 1,
  kPointAtomicRead = 2,
  kPointAtomicWrite = 3,
  // A static variable's guard is asked for, to initialize the variable unless
  // somebody else does or has done so. The address is that of its second byte.
  kPointInitialize = 5,
};

// Fourth argument of __atsan_schedule_point: where that is in the program. The
// same after a rebuild, as long as the function itself stays the same.
struct Place {
  const char *function; // The name that the linker knows.
  const char *file;     // Empty without debug information, and line is 0.
  unsigned line;
  unsigned column;
  unsigned number; // Counts the points of the function, from 1 on.
  unsigned flags;  // The runtime's; 0 at first.
};

// Bytes of memory that one cell of the shadow stands for: no access that a hook
// of a fixed size tells straddles two of them.
constexpr unsigned kGranule = 8;

// Bits of an address of a program on x86-64 Linux.
constexpr unsigned kAddressBits = 47;

} // namespace atsan_abi

#endif // ATSAN_BASE_ABI_H
