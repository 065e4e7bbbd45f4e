// RUN: %clangxx_atsan -O0 -I%inputs %s -o %t
// Intent: what sanitizers have in common works from a program that includes
// clang's header for it: reports go where the program says, stacks can be
// printed and addresses named, and a callback hears of the end.
// RUN: rm -f %t.log.*
// RUN: %exits 66 %t path %t.log > %t.out 2>&1
// RUN: FileCheck --check-prefix=NOTHING %s < %t.out
// RUN: FileCheck --check-prefix=REPORT %s < %t.log.*
// NOTHING: report path: {{.*}}.log.{{[0-9]+}}
// NOTHING-NOT: ERROR
// RUN: %exits 66 %t fd 2> %t.err | FileCheck --check-prefix=REPORT %s
// RUN: FileCheck --allow-empty --check-prefix=EMPTY %s < %t.err
// EMPTY-NOT: {{.}}
// REPORT: ERROR: AtomicitySanitizer: atomicity violation
// REPORT: SUMMARY: AtomicitySanitizer: atomicity-violation
//
// RUN: %exits 66 %t death 2>&1 | FileCheck --check-prefix=DEATH %s
// DEATH: SUMMARY: AtomicitySanitizer: atomicity-violation
// DEATH: the callback
//
// RUN: %exits 0 %t stack 2>&1 | FileCheck --check-prefix=STACK %s
// STACK: in __sanitizer_print_stack_trace
// STACK-NEXT: #1 {{.*}} in print_stack() {{.*}}common_interface.cpp:[[#]]
// STACK-NEXT: #2 {{.*}} in main {{.*}}common_interface.cpp:[[#]]
//
// RUN: %exits 0 %t names 2>&1 | FileCheck --check-prefix=NAMES %s
// NAMES: print_stack()
// NAMES-NEXT: common_interface.cpp:
// NAMES-NEXT: global x 4
// NAMES-NEXT: module {{.*}}common_interface.cpp.tmp+0x{{[1-9a-f]}}
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <sanitizer/common_interface_defs.h>

int x;

__attribute__((noinline)) void print_stack() {
  __sanitizer_print_stack_trace();
  USE(x);
}

static void violate() {
  in_parallel(
      [] {
        atsan::atomic_region region("reader");
        STEP(1) USE(x);
        STEP(3) USE(x);
      },
      [] {
        STEP(2) x = 1;
      });
}

static void print_names() {
  char text[1024], module[1024];
  void *pc = reinterpret_cast<char *>(&print_stack) + 1, *offset;
  __sanitizer_symbolize_pc(pc, "%f\n%s:%l", text, sizeof(text));
  fprintf(stderr, "%s\n", text);
  __sanitizer_symbolize_global(&x, "global %g", text, sizeof(text));
  fprintf(stderr, "%s %zu\n", text, sizeof(x));
  if (__sanitizer_get_module_and_offset_for_pc(pc, module, sizeof(module),
                                               &offset))
    fprintf(stderr, "module %s+%p\n", module, offset);
}

int main(int argc, char **argv) {
  if (called_with(argc, argv, "path")) {
    __sanitizer_set_report_path(argv[2]);
    fprintf(stderr, "report path: %s\n", __sanitizer_get_report_path());
  } else if (called_with(argc, argv, "fd")) {
    __sanitizer_set_report_fd(reinterpret_cast<void *>(1));
  } else if (called_with(argc, argv, "death")) {
    __sanitizer_set_death_callback([] { fprintf(stderr, "the callback\n"); });
  } else if (called_with(argc, argv, "stack")) {
    print_stack();
    return 0;
  } else {
    print_names();
    return 0;
  }
  violate();
}
