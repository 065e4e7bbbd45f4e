//===-- atsan_cxx_library.h -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the runtime stands in front of functions of the C++ libraries: the pass
// calls __atsan_cxx_NAME in place of one, with the real one first.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_CXX_LIBRARY_H
#define ATSAN_CXX_LIBRARY_H

#include "runtime/intercept/atsan_interceptors.h"

#define ATSAN_CXX(ret_type, name, ...)                                  \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE ret_type __atsan_cxx_##name( \
      __VA_ARGS__);                                                     \
  extern "C" ret_type __atsan_cxx_##name(__VA_ARGS__)

// The access is in the function that the real one was called from: inlined
// functions of the header look the same.
#define ATSAN_CXX_RECORDER() AccessRecorder recorder(ATSAN_CALLER_POINT())

// Unless somebody wants to know the accesses, the real one is all there is to
// do.
#define ATSAN_CXX_ENTER(...)  \
  if (MayBypass())            \
    return real(__VA_ARGS__); \
  ATSAN_CXX_RECORDER();       \
  if (!recorder.Wanted())     \
  return real(__VA_ARGS__)

#endif  // ATSAN_CXX_LIBRARY_H
