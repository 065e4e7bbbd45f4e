// RUN: %clang_atsan -O1 %s -o %t
// Intent: where the address space is too small for the runtime, one message
// says what it could not have and how much; the exit code is not zero.
// RUN: (ulimit -v 20000; %exits 66 %t) > %t.log 2>&1
// RUN: FileCheck %s < %t.log
// CHECK: ERROR: AtomicitySanitizer: out of memory: failed to allocate {{.*}} bytes of AtomicitySanitizer shadow
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

int main(void) { return 0; }
