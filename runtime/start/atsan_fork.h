//===-- atsan_fork.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What happens around fork.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_FORK_H
#define ATSAN_FORK_H

namespace __atsan {

// Once, before the program can register handlers of its own. False: libc
// failed.
bool ForkInit();

}  // namespace __atsan

#endif  // ATSAN_FORK_H
