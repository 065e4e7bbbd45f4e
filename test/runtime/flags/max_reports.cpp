// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: max_reports limits what is printed, not what counts.
// RUN: env ATSAN_OPTIONS=halt_on_error=0 %exits 66 %t > %t.log 2>&1
// RUN: grep -c SUMMARY: %t.log | FileCheck --check-prefix=THREE %s
// RUN: env ATSAN_OPTIONS=halt_on_error=0:max_reports=1 %exits 66 %t > %t.log 2>&1
// RUN: grep -c SUMMARY: %t.log | FileCheck --check-prefix=ONE %s
// THREE: 3
// ONE: 1
//
// What is not printed any more is not symbolized: the symbolizer is asked less.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: printf '#!/bin/sh\ntee -a "%t.dir/asked" | exec $(command -v llvm-symbolizer) "$@"\n' > %t.dir/llvm-symbolizer && chmod +x %t.dir/llvm-symbolizer
// RUN: env ATSAN_OPTIONS=halt_on_error=0:external_symbolizer_path='%t.dir/llvm-symbolizer' %exits 66 %t > %t.log 2>&1
// RUN: grep -c CODE %t.dir/asked > %t.all && rm %t.dir/asked
// RUN: env ATSAN_OPTIONS=halt_on_error=0:max_reports=1:external_symbolizer_path='%t.dir/llvm-symbolizer' %exits 66 %t > %t.log 2>&1
// RUN: grep -c CODE %t.dir/asked > %t.one
// RUN: test $(cat %t.one) -lt $(cat %t.all)
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x;

template <int kLine> static void reader(int step) {
  atsan::atomic_region region("reader");
  STEP(step) USE(x);
  STEP(step + 2) USE(x);
}

int main() {
  in_parallel(
      [] {
        reader<1>(1);
        reader<2>(4);
        reader<3>(7);
      },
      [] {
        for (int step = 2; step <= 8; step += 3)
          STEP(step) x = step;
      });
}
