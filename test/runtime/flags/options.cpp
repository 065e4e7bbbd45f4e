// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: every option of ours is listed by help=1 and does what it says; an
// unknown one is warned about, a value that an option cannot have is one clear
// error.
// RUN: env ATSAN_OPTIONS=help=1 %exits 0 %t 2>&1 | FileCheck --check-prefix=HELP %s
// HELP-DAG: halt_on_error
// HELP-DAG: region_splits
// HELP-DAG: lock_edges
// HELP-DAG: max_reports
// HELP-DAG: print_stats
// HELP-DAG: exitcode
// HELP-DAG: log_path
//
// RUN: env ATSAN_OPTIONS=halt_on_eror=0 %exits 0 %t 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: WARNING: {{.*}}
// UNKNOWN: halt_on_eror
//
// RUN: env ATSAN_OPTIONS=region_splits=join,bogus not %run %t 2>&1 | FileCheck --check-prefix=SPLITS %s
// SPLITS: ERROR: AtomicitySanitizer: {{.*}}region_splits=join,bogus
// SPLITS-SAME: barrier
// RUN: env ATSAN_OPTIONS=lock_edges=perhaps not %run %t 2>&1 | FileCheck --check-prefix=BOOL %s
// BOOL: ERROR: AtomicitySanitizer: {{.*}}lock_edges=perhaps
// RUN: env ATSAN_OPTIONS=max_reports=many not %run %t 2>&1 | FileCheck --check-prefix=NUMBER %s
// NUMBER: ERROR: AtomicitySanitizer: {{.*}}max_reports=many
//
// RUN: env ATSAN_OPTIONS=region_splits=all:lock_edges=1:max_reports=3:halt_on_error=0 %silent %t
// RUN: env ATSAN_OPTIONS="region_splits=start,join halt_on_error=false" %silent %t
// RUN: env ATSAN_OPTIONS= %silent %t
//
// RUN: env ATSAN_OPTIONS=print_stats=1 %exits 0 %t 2>&1 | FileCheck --check-prefix=STATS %s
// STATS: {{[0-9]+}}
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
      },
      [] {
        STEP(2) x = 1;
      });
}
