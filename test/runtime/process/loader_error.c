// RUN: %clang_atsan -O1 %s -o %t
// RUN: %silent %t
// RUN: %clang_atsan -O1 -DREGION %s -o %t
// RUN: %silent %t
// Intent: what the runtime asks the loader for in vain is no error of the
// program's.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <dlfcn.h>
#include <sanitizer/atsan_interface.h>
#include <stdio.h>

int main(void) {
  const char *error = dlerror();
#ifdef REGION
  __atomic_begin();
  __atomic_end();
#endif
  if (error)
    fprintf(stderr, "%s\n", error);
  return error != NULL;
}
