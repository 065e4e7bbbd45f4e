// RUN: %clangxx_atsan -shared-libsan -O1 -fPIC -shared -DLIBRARY -I%inputs %s -o %t.so
// RUN: %clangxx -O1 -I%atsan_include -I%inputs %s -o %t -ldl
// Intent: a program without the sanitizer may load a library that brings the
// shared runtime. Where that comes behind libc, it says that it sees nothing,
// once, however often the library is loaded; preloaded, it sees all.
// RUN: %t %t.so 2>&1 | FileCheck --check-prefix=LATE %s
// LATE: WARNING: AtomicitySanitizer: libc stands in front of the runtime
// LATE-SAME: or start it with LD_PRELOAD='/{{.*}}/libclang_rt.atomicity-x86_64.so'
// LATE-NOT: WARNING
// RUN: env LD_PRELOAD=%atsan_lib/libclang_rt.atomicity-x86_64.so %exits 66 %t %t.so 2>&1 | FileCheck %s
// RUN: env LD_PRELOAD=%atsan_lib/libclang_rt.atomicity-x86_64.so %silent %t %t.so good
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'in the library'
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#ifdef LIBRARY

// The region is in thread 1, and what comes in between in thread 2.
extern "C" void library_part(int *variable, int thread, bool writes) {
  if (thread == 2) {
    step_begin(2);
    if (writes)
      *variable = 1;
    step_end(2);
    return;
  }
  atsan::atomic_region region("in the library");
  USE(*variable);
  step_end(1);
  step_begin(3);
  USE(*variable);
}

#else

#include "Inputs/load_library.hpp"
#include <thread>

int x;

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  for (int i = 0; i < 2; i++) {
    void *library = load_library(argv[1]);
    auto part = reinterpret_cast<void (*)(int *, int, bool)>(
        dlsym(library, "library_part"));
    std::thread other([=] { part(&x, 2, !good); });
    part(&x, 1, !good);
    other.join();
    dlclose(library);
  }
}

#endif
