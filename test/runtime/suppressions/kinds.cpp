// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: each kind of suppression matches at any frame of any access and
// region of the report, inlined ones included; what it does not match is
// reported, and fails the run.
// RUN: echo 'region:deposit' > %t.region
// RUN: echo 'function:^deposit(int)$' > %t.function
// RUN: echo 'function:withdraw' > %t.other
// RUN: echo 'function:take_from' > %t.inlined
// RUN: echo 'file:kinds.cpp' > %t.file
// RUN: echo 'library:kinds' > %t.library
// RUN: for kind in region function other inlined file library; do env ATSAN_OPTIONS="suppressions='%t.$kind':print_suppressions=0" %silent %t || exit 1; done
// RUN: printf '# a comment\r\n\r\n\n  region:nothing \n\tfunction:*pos*(\n' > %t.mixed
// RUN: env ATSAN_OPTIONS="suppressions='%t.mixed'" %exits 0 %t 2>&1 | FileCheck --check-prefix=MIXED %s
// MIXED-NOT: ERROR
// MIXED: AtomicitySanitizer: suppressed findings, and by what:
// MIXED-NEXT: {{^}} 1 function:*pos*({{$}}
//
// The twins: the same patterns, one letter off or of another kind.
// RUN: printf 'region:deposits\nregion:withdraw\nfunction:^deposit$\nfunction:^main$\nfile:kinds.c:\nlibrary:libkinds\n' > %t.wrong
// RUN: env ATSAN_OPTIONS="suppressions='%t.wrong'" %exits 66 %t 2>&1 | FileCheck --check-prefix=REPORT %s
// RUN: %exits 66 %t 2>&1 | FileCheck --check-prefix=REPORT %s
// REPORT: ERROR: AtomicitySanitizer: atomicity violation
// REPORT: To suppress it, put this line into FILE
// REPORT-NEXT: fingerprint:1-{{[0-9a-f]+$}}
// REPORT: SUMMARY:
// REPORT-NOT: suppressed findings
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int balance;

__attribute__((noinline)) static void deposit(int amount) {
  atsan::atomic_region region("deposit");
  int seen;
  STEP(1) seen = balance;
  STEP(3) balance = seen + amount;
}

__attribute__((always_inline)) static inline void take_from(int *account) {
  STEP(2) *account -= 1;
}

__attribute__((noinline)) static void withdraw() { take_from(&balance); }

int main() {
  in_parallel([] { deposit(2); }, withdraw);
}
