//===- LeftFrames.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions that outlive the frame they began in.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_EMIT_LEFTFRAMES_H
#define ATSAN_PASS_EMIT_LEFTFRAMES_H

#include "pass/base/RuntimeHooks.h"

namespace atsan {

/// Tells the runtime where a function returns that has begun a region and may
/// not have ended it.
void tellLeftFrames(llvm::Module &M, RuntimeHooks &Hooks);

} // namespace atsan

#endif // ATSAN_PASS_EMIT_LEFTFRAMES_H
