// RUN: for i in -O0 -O2 "-O3 -march=native"; do \
// RUN:   %clang_atsan $i -fno-strict-aliasing -D_GNU_SOURCE -I%inputs %s -o %t -lpthread -lm \
// RUN:   && %run %t || exit 1; done
// Intent: exactly the bytes that the compiler's builtin functions read and
// write are accesses, whether they become calls of libc, code, or both.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define CASES "Inputs/builtins.inc"
#include "ranges.c"
