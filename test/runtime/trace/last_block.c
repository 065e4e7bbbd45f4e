// RUN: %clang_atsan -O1 %s -o %t
// Intent: the last block of the thread that ends the program has a checksum,
// however it ends it; so damage in it is found. A program that only seemed to
// end (the child of vfork has its memory) goes on in the same block.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir
// RUN: env ATSAN_OPTIONS=trace=return %t return
// RUN: env ATSAN_OPTIONS=trace=exit %t exit
// RUN: env ATSAN_OPTIONS=trace=_exit %t _exit
// RUN: env ATSAN_OPTIONS=trace=error %exits 66 %t error
// RUN: env ATSAN_OPTIONS=trace=vfork %t vfork
// RUN: %atsan trace print vfork | FileCheck %s --check-prefix=ALL
// ALL: region-begin 'first'
// ALL: region-begin 'second'
// RUN: %python -c "import os; assert os.path.getsize('vfork') == os.path.getsize('return')"
// RUN: for how in return exit _exit error vfork; do %atsan trace stats $how > out && %python %S/Inputs/damage_last_block.py $how && ! %atsan trace stats $how > out 2>> damage || exit 1; done
// RUN: FileCheck %s < damage
// CHECK: return: damaged at byte {{[0-9]+}}: the checksum of this block does not fit
// CHECK: exit: damaged at byte {{[0-9]+}}: the checksum of this block does not fit
// CHECK: _exit: damaged at byte {{[0-9]+}}: the checksum of this block does not fit
// CHECK: error: damaged at byte {{[0-9]+}}: the checksum of this block does not fit
// CHECK: vfork: damaged at byte {{[0-9]+}}: the checksum of this block does not fit
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _GNU_SOURCE
#include <sanitizer/atsan_interface.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int x;

static void region(const char *name) {
  __atsan_region_begin(name);
  x++;
  __atsan_region_end();
}

int main(int argc, char **argv) {
  (void)argc;
  region("first");
  if (!strcmp(argv[1], "exit"))
    exit(0);
  if (!strcmp(argv[1], "_exit"))
    _exit(0);
  if (!strcmp(argv[1], "error"))
    __atsan_region_end();
  if (!strcmp(argv[1], "vfork")) {
    pid_t child = vfork();
    if (child == 0)
      _exit(0);
    waitpid(child, NULL, 0);
    region("second");
  }
  return 0;
}
