// RUN: rm -rf %t && mkdir %t
// Intent: the static runtime in the program and the shared one in a library
// would each take the other for libc: an error before the program begins. With
// the shared one in both all is well.
// RUN: %clang_atsan -shared-libsan -shared -fPIC -DLIBRARY %s -o %t/library.so
// RUN: %clang_atsan %s %t/library.so -o %t/static
// RUN: %exits 2 %t/static 2>&1 | FileCheck %s --implicit-check-not=main
// CHECK: ERROR: AtomicitySanitizer: a second copy of the runtime is in {{.*}}.so. Link the static runtime into the executable only, or use the shared runtime everywhere
// RUN: %clang_atsan -shared-libsan %s %t/library.so -o %t/shared
// RUN: %exits 0 %t/shared | FileCheck %s --check-prefix=MAIN
// MAIN: main
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifdef LIBRARY
void run(void) {}
#else

#include <stdio.h>

void run(void);

int main(void) {
  puts("main");
  run();
  return 0;
}

#endif
