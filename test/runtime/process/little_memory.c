// RUN: %clang_atsan -O1 %s -o %t
// Intent: where the address space is too small for the runtime, one message
// says what it could not have and how much; the exit code is not zero.
// RUN: for i in 18000 20000 22000 26000 30000; do \
// RUN:   (ulimit -v $i; %exits 66 %t) > %t.log 2>&1 || exit 1; \
// RUN:   FileCheck %s < %t.log || exit 1; done
// CHECK: {{ERROR|FATAL}}: AtomicitySanitizer: {{.*}}out of memory{{.*}} to allocate {{[0-9a-fx]+}}
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

int main(void) { return 0; }
