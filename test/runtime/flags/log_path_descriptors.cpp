// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: programs count their open files, and their tests do so around what
// they test. The log is no such file: it is open only while a record is
// written, in forked children, too, and what was written stays.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env ATSAN_OPTIONS=report_format=json:halt_on_error=0:log_path=%t.dir/log %exits 66 %t
// RUN: cat %t.dir/log.* | FileCheck --check-prefix=RECORDS %s
// RECORDS-COUNT-2: "ended":true
// RUN: grep -l '"atsan-report-2"' %t.dir/log.* | xargs cat | FileCheck %s
// CHECK: {"schema":"atsan-process-1",{{.*}}"ended":false
// CHECK: {"schema":"atsan-report-2",
// CHECK: {"schema":"atsan-process-1",{{.*}}"ended":true
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <sys/wait.h>

#include <filesystem>

int x;

static long open_files() {
  const std::filesystem::directory_iterator begin("/proc/self/fd");
  return std::distance(begin, std::filesystem::directory_iterator());
}

static void use_region() {
  const long before = open_files();
  {
    atsan::atomic_region region("r");
    x++;
  }
  if (open_files() != before)
    abort();
}

int main() {
  use_region(); // Writes the first records of a process.
  const pid_t child = fork();
  use_region();
  if (child == 0)
    return 0;
  int status;
  waitpid(child, &status, 0);
  if (status != 0)
    abort();
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
