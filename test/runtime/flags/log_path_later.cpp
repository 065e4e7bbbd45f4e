// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a relative log_path is meant where the program starts, whatever
// directory it and its children go to; a report that the file does not take
// later goes to stderr, and the program to its end.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir
// RUN: env ATSAN_OPTIONS=report_format=json:log_path=L/a %exits 0 %t chdir > out 2>&1 && test ! -s out
// RUN: %atsan report L | FileCheck --check-prefix=CHDIR %s
// CHDIR: 0 findings
// CHDIR-NEXT: 2 processes entered 2 regions{{$}}
// RUN: env ATSAN_OPTIONS=log_path=M/a %exits 66 %t chdir wrong > out 2>&1 && test ! -s out
// RUN: cat M/a.* | FileCheck --check-prefix=WRONG %s
// WRONG: region-end-without-begin
//
// The directory is gone, or the disk is full.
// RUN: env ATSAN_OPTIONS=report_format=json:log_path=$PWD/N/a %exits 66 %t remove wrong 2>&1 | FileCheck --check-prefix=GONE %s
// RUN: env ATSAN_OPTIONS=log_path=$PWD/N/a %exits 66 %t remove wrong 2>&1 | FileCheck --check-prefix=GONE %s
// RUN: env ATSAN_OPTIONS=report_format=json:log_path=$PWD/N/a %exits 0 %t remove 2>&1 | sed 's/No such.*//' | FileCheck --check-prefix=GONE-RECORD %s
// GONE: WARNING: AtomicitySanitizer: cannot write to {{.*}}/N/a.{{[0-9]+}}, so what follows goes to stderr: No such file or directory
// GONE: region-end-without-begin
// GONE-RECORD: WARNING: AtomicitySanitizer: cannot write to {{.*}} goes to stderr: {{$}}
// GONE-RECORD-NOT: {{.}}
// RUN: env ATSAN_OPTIONS=report_format=json:log_path=$PWD/F/a %exits 66 %t full wrong 2>&1 | FileCheck --check-prefix=FULL %s
// FULL: so what follows goes to stderr: No space left on device
// FULL-NEXT: "kind":"region-end-without-begin"
//
// Names that no file can have are said at the start.
// RUN: env ATSAN_OPTIONS=log_path=$(printf 'y%%.0s' $(seq 252)) %exits 2 %t chdir 2>&1 | FileCheck --check-prefix=LONG %s
// LONG: ERROR: AtomicitySanitizer: cannot write to 'yyy{{y*}}', which run-time option log_path names: File name too long
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"
#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

int x;

int main(int argc, char **argv) {
  const std::string how = argv[1];
  if (how == "chdir")
    std::filesystem::current_path("/");
  if (how == "remove")
    std::filesystem::remove_all("N");
  if (how == "full")
    std::filesystem::create_symlink("/dev/full",
                                    "F/a." + std::to_string(getpid()));
  if (argc > 2)
    __atsan_region_end();
  {
    atsan::atomic_region region("whole");
    x++;
  }
  if (how == "chdir") {
    const pid_t child = fork();
    if (!child) {
      atsan::atomic_region region("child");
      x++;
      return 0;
    }
    waitpid(child, nullptr, 0);
  }
  return 0;
}
