//===-- atsan_parallel_hooks.cpp ------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hooks around calls of libraries that run the program's code in a pool of
// threads (OpenMP's, oneTBB). They divide a region as pthread_create,
// pthread_join, pthread_barrier_wait and pthread_cond_wait do (rule 5). The
// calling thread may run any other piece of such code meanwhile, which is no
// part of its regions.
//
//===----------------------------------------------------------------------===//
#include "runtime/regions/atsan_region.h"

using namespace __atsan;

#define ATSAN_SET_ASIDE(splits) \
  RegionsSetAside(cur_thread, splits, ATSAN_CALLER_POINT(), ATSAN_CALLER_SP())

// Each returns whether __atsan_parallel_leave has something to do.
extern "C" {

// Starts threads' work, and waits for its end.
SANITIZER_INTERFACE_ATTRIBUTE u32 __atsan_parallel_run() {
  return ATSAN_SET_ASIDE(kSplitStart | kSplitJoin);
}
SANITIZER_INTERFACE_ATTRIBUTE u32 __atsan_parallel_start() {
  return ATSAN_SET_ASIDE(kSplitStart);
}
SANITIZER_INTERFACE_ATTRIBUTE u32 __atsan_parallel_join() {
  return ATSAN_SET_ASIDE(kSplitJoin);
}
SANITIZER_INTERFACE_ATTRIBUTE u32 __atsan_parallel_barrier() {
  return ATSAN_SET_ASIDE(kSplitBarrier);
}
SANITIZER_INTERFACE_ATTRIBUTE u32 __atsan_parallel_wait() {
  return ATSAN_SET_ASIDE(kSplitWait);
}

// `entered`: what the hook in front of the call has returned.
SANITIZER_INTERFACE_ATTRIBUTE void __atsan_parallel_leave(u32 entered) {
  if (entered)
    RegionsResume(cur_thread, ATSAN_CALLER_POINT());
}

}  // extern "C"
