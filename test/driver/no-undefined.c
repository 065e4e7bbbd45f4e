// RUN: %clang_atsan -O1 -fPIC -DLIBRARY -c %s -o %t.o
// RUN: for how in -Wl,--no-undefined -Wl,-z,defs '-z defs'; do for ld in bfd lld; do %clang_atsan -fuse-ld=$ld -shared $how %t.o -o %t.so && %clang_atsan -fuse-ld=$ld -O1 %s %t.so -o %t && env ATSAN_OPTIONS=print_stats=1 %t 2>&1 | FileCheck %s || exit 1; done; done
// Intent: a library that is linked as Meson and distributions do it can be
// loaded, and what happens in its regions is checked.
// CHECK: checked 1 regions (and 0 excluded) with accesses at {{[1-9]}}
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sanitizer/atsan_interface.h>

int count(void);

#ifdef LIBRARY
static int counter;

int count(void) {
  __atomic_begin();
  counter++;
  __atomic_end();
  return counter;
}
#else
int main(void) { return count() - 1; }
#endif
