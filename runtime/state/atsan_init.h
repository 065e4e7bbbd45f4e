//===-- atsan_init.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Start and end of the runtime.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_INIT_H
#define ATSAN_INIT_H

#include "lib/checker/atsan_defs.h"

namespace __atsan {

using namespace __sanitizer;

// Interceptors and flags work. False during early calls: of the dynamic loader,
// of constructors that run before ours, and of our own start.
extern ATSAN_HIDDEN bool runtime_ready;

// The program has a mark of a region, or begins one in code without any: from
// now on atomic operations, and what becomes of blocks, are told.
void RegionsMayBegin();

// Runs at normal exit, whichever way: returns the exit code of a run that would
// have ended with `exit_code`.
int AtExit(int exit_code);

}  // namespace __atsan

extern "C" {
SANITIZER_INTERFACE_ATTRIBUTE void __atsan_init();
// Called by a constructor of each instrumented module.
SANITIZER_INTERFACE_ATTRIBUTE void __atsan_init_module(__sanitizer::u32 version,
                                                       __sanitizer::u32 flags);
// Nonzero once a module with region marks is loaded, or a region has begun.
extern SANITIZER_INTERFACE_ATTRIBUTE __sanitizer::u32 __atsan_enabled;
}

#endif  // ATSAN_INIT_H
