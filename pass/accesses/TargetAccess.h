//===- TargetAccess.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What x86's own intrinsics read and write, other than lanes of vectors.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_ACCESSES_TARGETACCESS_H
#define ATSAN_PASS_ACCESSES_TARGETACCESS_H

#include "pass/accesses/AccessSelection.h"

namespace atsan {

/// What is known of an intrinsic's accesses.
enum class TargetAccess { Described, None, Unknown };

/// Appends the accesses of an intrinsic of x86. Computes an address in front of
/// it where the processor aligns the operand.
TargetAccess describeTargetAccess(llvm::IntrinsicInst &II, EventList &Events);

} // namespace atsan

#endif // ATSAN_PASS_ACCESSES_TARGETACCESS_H
