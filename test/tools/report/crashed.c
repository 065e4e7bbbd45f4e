// RUN: rm -rf %t && mkdir %t && %clang_atsan -O1 %s -o %t.out
// RUN: env ATSAN_OPTIONS="report_format=json:log_path='%t/log'" %run %t.out
// RUN: %atsan report %t
// RUN: env ATSAN_OPTIONS="report_format=json:log_path='%t/log'" not %run %t.out crash
// RUN: %exits 2 %atsan report %t 2>&1 | FileCheck %s
// Intent: a program that crashed is no finding, and its test fails by itself;
// but a gate that has only its log is not green.
// CHECK: 0 findings (0 reports)
// CHECK: error: {{.*}}log.{{[0-9]+}}:{{[0-9]+}}: the program ended with an error (SEGV on unknown address 0x{{0+}}), and what it would have done was not checked; the lines below say more
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sanitizer/atsan_interface.h>

static int x;
int *volatile nowhere;

int main(int argc, char **argv) {
  (void)argv;
  __atomic_begin();
  x++;
  __atomic_end();
  return argc > 1 ? *nowhere : 0;
}
