// RUN: %clangxx_atsan -I %inputs -I %atsan_source_dir/test/runtime/report %s -o %t
// RUN: rm -rf %t.logs && mkdir %t.logs
// RUN: env ATSAN_OPTIONS=report_format=json:halt_on_error=0:log_path=%t.logs/log %run %t; test $? = 66
// RUN: %validate log %schema %t.logs/*
// RUN: %atsan report --source-root=%S %t.logs --html=%t.html --write-baseline=%t.base | FileCheck %s
// RUN: %validate page %t.html
// RUN: env ATSAN_OPTIONS=report_format=json:halt_on_error=0:log_path=%t.logs/again %run %t; test $? = 66
// RUN: %atsan report %t.logs/again* --baseline=%t.base | FileCheck %s --check-prefix=AGAIN
// RUN: mkdir -p %t.dir && sed "s|^static void .deposit|\n\n&|" %s > %t.dir/processes.cpp
// RUN: %clangxx_atsan -I %inputs -I %atsan_source_dir/test/runtime/report %t.dir/processes.cpp -o %t.edited
// RUN: env ATSAN_OPTIONS=report_format=json:halt_on_error=0:log_path=%t.logs/edited %run %t.edited; test $? = 66
// RUN: %atsan report %t.logs/edited* --baseline=%t.base | FileCheck %s --check-prefix=AGAIN
// RUN: %clangxx_atsan -I %inputs -I %atsan_source_dir/test/runtime/report -DTWIN %s -o %t.twin
// RUN: rm -rf %t.none && mkdir %t.none
// RUN: env ATSAN_OPTIONS=report_format=json:log_path=%t.none/log %run %t.twin
// RUN: %atsan report %t.none | FileCheck %s --check-prefix=NONE
// Intent: two processes write a log each; both are one finding. It is the same
// one in the next run, and after lines were added above it.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

#include <sys/wait.h>

long balance;

static void *deposit(void *) {
  __atsan_region_begin("deposit");
  long seen;
  STEP(ORDER(1, 2)) seen = balance;
  STEP(3) balance = seen + 100;
  __atsan_region_end();
  return nullptr;
}

static void *withdraw(void *) {
  STEP(ORDER(2, 1)) balance = -30;
  return nullptr;
}

static void run() {
  pthread_t a, b;
  pthread_create(&a, nullptr, deposit, nullptr);
  pthread_create(&b, nullptr, withdraw, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}

int main() {
  pid_t child = fork();
  run();
  if (child) {
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
  }
}

// CHECK: 1. atomicity-violation at processes.cpp:[[#]]:[[#]] in deposit(void*)
// CHECK-NEXT: Region 'deposit' of T1 is not atomic: T2 came in between
// CHECK-NEXT: 2 reports by 2 processes, fingerprint 1-
// CHECK: 1 finding (2 reports)
// NONE: {{^}}0 findings (0 reports)
// AGAIN: 1 finding, 0 of them new (2 reports)
