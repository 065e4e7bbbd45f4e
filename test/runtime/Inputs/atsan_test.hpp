//===-- atsan_test.hpp - What the C++ test programs share -------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_TEST_HPP
#define ATSAN_TEST_HPP

#include "atsan_test.h"

#include <sanitizer/atsan.hpp>
#include <string.h>
#include <thread>

// Runs each function in a thread of its own and joins them all.
template <class... Functions> void in_parallel(Functions... functions) {
  std::thread threads[] = {std::thread(functions)...};
  for (std::thread &thread : threads) thread.join();
}

// Was the program called with this word?
inline bool called_with(int argc, char **argv, const char *word) {
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], word))
      return true;
  return false;
}

#endif // ATSAN_TEST_HPP
