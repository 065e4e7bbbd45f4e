//===-- atsan_cxx_casts.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In front of dynamic_cast, where it is a call: to a type that is not final.
// The pass calls this with the real function first
// (pass/accesses/LibraryCalls.cpp).
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_cxx_library.h"

using namespace __atsan;

// The first word of the object says its class, wherever the result is: other
// such words are written by the same constructors.
ATSAN_CXX(void *, dynamic_cast,
          void *(*real)(const uptr *, const void *, const void *, sptr),
          const uptr *object, const void *from, const void *to, sptr hint) {
  ATSAN_CXX_ENTER(object, from, to, hint);
  recorder.ReadObject(object);
  return real(object, from, to, hint);
}
