// RUN: %clangxx_atsan -O1 -DPART -I%inputs -c %s -o %t.part.o
// Intent: instrumented objects from a static archive; the part with the region
// and the part with the other access are compiled apart.
// RUN: rm -f %t.a && llvm-ar rcs %t.a %t.part.o
// RUN: %clangxx_atsan -O1 -I%inputs %s %t.a -o %t
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %silent %t good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

extern int x;
void region_in_archive(int second);

#ifdef PART

int x;

void region_in_archive(int second) {
  atsan::atomic_region region(
      "in the archive"); // CHECK: region 'in the archive'
  STEP(1) USE(x);
  // CHECK: SUMMARY: {{.*}}static_archive.cpp:[[#@LINE+1]]:{{[0-9]+}} in region_in_archive
  STEP(second) USE(x);
}

#else

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  in_parallel([=] { region_in_archive(good ? 2 : 3); },
              [=] {
                STEP(good ? 3 : 2) x = 1;
              });
}

#endif
