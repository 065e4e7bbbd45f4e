//===-- atsan_blocking.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Alone, because the cleanup macros of pthread.h cannot be used where functions
// of that header are intercepted under other types.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_blocking.h"

#include <pthread.h>

namespace __atsan {

int CallCancellable(int (*call)(void *), void (*on_cancel)(void *),
                    void *context) {
  int res;
  pthread_cleanup_push(on_cancel, context);
  res = call(context);
  pthread_cleanup_pop(0);
  return res;
}

}  // namespace __atsan
