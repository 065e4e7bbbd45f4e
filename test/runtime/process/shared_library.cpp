// RUN: %clangxx_atsan -O1 -fPIC -shared -DLIBRARY -I%inputs %s -o %t.so
// Intent: a region in a shared library that is loaded with dlopen, by an
// instrumented program; the library brings the only region, or there is one on
// each side; it can be unloaded and loaded again.
// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t -ldl
// RUN: %exits 66 %t %t.so 2>&1 | FileCheck %s
// RUN: %silent %t %t.so good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#ifdef LIBRARY

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'in the library'
extern "C" void library_region(int *variable, void (*between)()) {
  atsan::atomic_region region("in the library");
  USE(*variable);
  between();
  // CHECK: SUMMARY: {{.*}}shared_library.cpp:[[#@LINE+1]]:{{[0-9]+}} in library_region
  USE(*variable);
}

#else

#include "Inputs/load_library.hpp"

int x;

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  for (int i = 0; i < 2; i++) {
    void *library = load_library(argv[1]);
    auto library_region = reinterpret_cast<void (*)(int *, void (*)())>(
        dlsym(library, "library_region"));
    if (i == 0) {
      library_region(&x, [] {});
      dlclose(library);
      continue;
    }
    in_parallel(
        [=] {
          library_region(&x, [] {
            step_end(1);
            step_begin(3);
          });
          step_end(3);
        },
        [=] {
          STEP(2) {
            if (!good)
              x = 1;
          }
        });
  }
}

#endif
