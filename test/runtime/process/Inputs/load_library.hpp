// How tests load a library with dlopen.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef ATSAN_TEST_LOAD_LIBRARY_HPP
#define ATSAN_TEST_LOAD_LIBRARY_HPP

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/// Ends the program if the library cannot be loaded.
inline void *load_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return library;
}

#endif
