// REQUIRES: fixed-addresses
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx_atsan -fatomicity-schedule -O1 %s -o prog
// RUN: printf '#!%%s one\n' $PWD/prog > script && chmod +x script
// RUN: env ATSAN_OPTIONS=schedule_strategy=random ./script two < script > said
// RUN: FileCheck --input-file=said --check-prefix=SCRIPT %s
// RUN: env ATSAN_OPTIONS=schedule_strategy=random %python -c 'import os; f = os.memfd_create("m"); os.write(f, open("prog", "rb").read()); os.execve(f, ["name", "x"], os.environ)' < script > said
// RUN: FileCheck --input-file=said --check-prefix=MEMORY %s
// RUN: env ATSAN_OPTIONS=schedule_strategy=random /lib64/ld-linux-x86-64.so.2 ./prog y < script > said
// RUN: FileCheck --input-file=said --check-prefix=LOADER %s
// RUN: env ATSAN_OPTIONS=schedule_strategy=random:no_such_option=1 ./prog z < script > said 2>&1
// RUN: FileCheck --input-file=said --check-prefix=ONCE %s
// Intent: a program that starts itself anew, to have fixed addresses, does all
// once, with the arguments and the input that it was given; where it cannot be
// started anew, it runs.
// SCRIPT: fixed one ./script two #!
// MEMORY: random x #!
// LOADER: random y #!
// ONCE: unrecognized flag
// ONCE-NOT: unrecognized flag
// ONCE: fixed z #!
// ONCE-NOT: {{.}}
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdio.h>
#include <sys/personality.h>
#include <unistd.h>

int main(int argc, char **argv) {
  printf("%s",
         personality(0xffffffff) & ADDR_NO_RANDOMIZE ? "fixed" : "random");
  for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
  char begin[3] = {};
  if (read(0, begin, 2) != 2)
    return 1;
  printf(" %s\n", begin);
}
