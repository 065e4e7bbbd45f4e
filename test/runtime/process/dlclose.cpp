// RUN: %clangxx_atsan -O1 -I%inputs -DLIBRARY -fPIC -shared -fuse-ld=bfd -Wl,-Ttext-segment=0x300000000000 %s -o %t.so
// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: the variables of a library end their life when it is unloaded: the
// library that comes to the same place has new ones. A library that stays
// loaded keeps them.
// RUN: %silent %t %t.so
// RUN: %exits 66 %t %t.so kept 2>&1 | FileCheck %s
// CHECK: region 'user'
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <dlfcn.h>

#ifdef LIBRARY
extern "C" int variable[1000] = {1};
#else

static const char *path;
static void use_library(bool unload) {
  void *library = dlopen(path, RTLD_NOW);
  int *variable =
      library ? static_cast<int *>(dlsym(library, "variable")) : nullptr;
  if (!variable || (shared() && shared() != variable)) {
    // Elsewhere: nothing to be seen in this run.
    fprintf(stderr, "the library is not where it was\n");
    _Exit(3);
  }
  share(variable);
  variable[500] = 2;
  if (unload)
    dlclose(library);
}

int main(int argc, char **argv) {
  path = argv[1];
  bool unload = !called_with(argc, argv, "kept");
  in_parallel(
      [=] {
        atsan::atomic_region region("user");
        STEP(1) use_library(unload);
        STEP(3) use_library(unload);
      },
      [=] {
        STEP(2) use_library(unload);
      });
}
#endif
