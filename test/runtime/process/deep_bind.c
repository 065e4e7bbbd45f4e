// RUN: %clang_atsan -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// RUN: %clang_atsan -O1 %s -o %t
// RUN: %clang_atsan -O1 -shared-libsan -Wl,-rpath,%atsan_lib %s -o %t.shared
// Intent: a library that is loaded with RTLD_DEEPBIND would find libc before
// the runtime: an error that says what to do, with the exit code of a program
// that cannot be checked, whatever that of findings is. Without the flag, all
// is well (twin).
// RUN: for t in %t %t.shared; do \
// RUN:   env ATSAN_OPTIONS=exitcode=5 %exits 2 $t %t.so deep 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent $t %t.so || exit 1; \
// RUN: done
// CHECK: ERROR: AtomicitySanitizer: the program loads '{{.*}}.so' with RTLD_DEEPBIND: {{.*}} Load it without that flag, where __SANITIZE_ATOMICITY__ is defined (docs/integration.md)
// CHECK-NOT: {{.}}
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifdef LIBRARY

int three(void) { return 3; }

#else

#define _GNU_SOURCE
#include <dlfcn.h>

int main(int argc, char **argv) {
  void *library =
      dlopen(argv[1], argc > 2 ? RTLD_NOW | RTLD_DEEPBIND : RTLD_NOW);
  int (*three)(void);
  if (!library)
    return 1;
  three = (int (*)(void))dlsym(library, "three");
  return three && three() == 3 ? 0 : 1;
}

#endif
