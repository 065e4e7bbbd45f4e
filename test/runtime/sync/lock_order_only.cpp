// RUN: %clangxx_atsan -O1 -g -I%inputs %s -o %t
// Intent: the example of docs/options.md: two lines are mixed up in a file,
// which no memory shows. Only the order of the locks tells, with lock_edges=1.
// RUN: %silent %t %t.lines
// RUN: FileCheck --check-prefix=MIXED --input-file=%t.lines %s
// MIXED: one two 2
// MIXED-NEXT: 1
// RUN: env ATSAN_OPTIONS=lock_edges=1 %exits 66 %t %t.lines 2>&1 | FileCheck %s
// CHECK: Region 'print_line' of T1 is not atomic: T2 came in between
// CHECK: First: lock release of the lock at
// CHECK: Later: lock acquire of the lock at
// RUN: env ATSAN_OPTIONS=lock_edges=1 %silent %t %t.lines good
// RUN: FileCheck --check-prefix=GOOD --input-file=%t.lines %s
// GOOD: one 1
// GOOD-NEXT: two 2
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <mutex>

static std::mutex mutex;
static int file;

static void print(const char *text) {
  std::lock_guard<std::mutex> guard(mutex);
  if (write(file, text, strlen(text)) < 0)
    abort();
}

static void print_line(const char *key, const char *value, int first,
                       int second) {
  atsan::atomic_region region("print_line");
  STEP(first) print(key);
  STEP(second) print(value);
}

int main(int argc, char **argv) {
  file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const bool good = called_with(argc, argv, "good");
  in_parallel([=] { print_line("one ", "1\n", 1, good ? 2 : 4); },
              [=] { print_line("two ", "2\n", good ? 3 : 2, good ? 4 : 3); });
}
