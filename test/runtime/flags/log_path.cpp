// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: log_path takes the reports to a file with the process number in its
// name, or to the standard output; an impossible path is said.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env ATSAN_OPTIONS=log_path=%t.dir/log %exits 66 %t > %t.out 2>&1
// RUN: FileCheck --allow-empty --check-prefix=NOTHING %s < %t.out
// RUN: ls %t.dir | FileCheck --check-prefix=NAME %s
// RUN: cat %t.dir/log.* | FileCheck %s
// RUN: env ATSAN_OPTIONS=log_path=stdout %exits 66 %t 2> %t.err | FileCheck %s
// RUN: FileCheck --allow-empty --check-prefix=NOTHING %s < %t.err
// A path that cannot be is said at once, by an exit code that no finding has.
// RUN: for path in /dev/null/log /proc/none/log; do env ATSAN_OPTIONS=log_path=$path %exits 2 %t 2>&1 | FileCheck --check-prefix=NOWHERE %s || exit 1; done
// NOWHERE: ERROR: AtomicitySanitizer: cannot write to '{{(/dev/null|/proc/none)}}/log', which run-time option log_path names: {{.+}}; name a file in a directory that is yours
//
// Beside the shared runtime of UBSan, which has the functions of
// sanitizer_common by the same names: the options are still this runtime's.
// RUN: %clangxx_atsan -fsanitize=undefined -O1 -I%inputs %s -o %t.two
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env ATSAN_OPTIONS=log_path=%t.dir/log %exits 66 %t.two
// RUN: cat %t.dir/log.* | FileCheck --check-prefix=TWO %s
// TWO: ERROR: AtomicitySanitizer: atomicity violation
// RUN: env ATSAN_OPTIONS=log_path=/dev/null/log %exits 2 %t.two 2>&1 | FileCheck --check-prefix=NOWHERE %s
//
// NOTHING-NOT: {{.}}
// NAME: {{^log\.[0-9]+$}}
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x;

int main() {
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
