// RUN: %clang_atsan -O1 -fno-builtin -fno-strict-aliasing -D_GNU_SOURCE -DFORTIFIED -I%inputs %s -o %t -lpthread -lm
// RUN: %run %t
// RUN: %clang_atsan -O2 -D_FORTIFY_SOURCE=3 -fno-builtin-strdup -fno-builtin-strndup \
// RUN:   -fno-strict-aliasing -D_GNU_SOURCE -I%inputs %s -o %t.3 -lpthread -lm
// RUN: %run %t.3
// Intent: the accesses of ranges.c are the same in the variants that
// _FORTIFY_SOURCE can put in place of libc's functions: in all of them, and in
// those that the compiler chooses, whose optimizer knows what the functions do.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ranges.c"
