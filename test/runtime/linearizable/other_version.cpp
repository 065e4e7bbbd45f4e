// Intent: an object that was compiled when __atsan_tests_begin had one
// argument, and a test fewer members, ends with a message. (Nothing else tells:
// the order of what a test consists of has changed.)
// RUN: %clangxx_atsan -g0 -O1 -fatomicity-schedule %s -o %t
// RUN: %exits 2 %t 2>&1 | FileCheck %s
// CHECK: ERROR: AtomicitySanitizer: the tests were compiled with the headers of another version: compile them with those of the runtime that is linked
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern "C" int __atsan_tests_begin(const char **name);

int main() {
  const char *name;
  return __atsan_tests_begin(&name);
}
