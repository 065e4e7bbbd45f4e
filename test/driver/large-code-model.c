// RUN: %clang_atsan -O1 -mcmodel=large %s -o %t && %t
// RUN: %clang_atsan -O1 -mcmodel=large -shared-libsan -fPIE -pie -fuse-ld=bfd %s -o %t && %t
// Intent: code for the large code model finds the words that hooks are tested
// by in whatever runtime they are.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static long values[4];
__attribute__((noinline)) static long last(long *p) { return p[3]; }

int main(int argc, char **argv) {
  values[3] = argc - 1;
  return last(values);
}
