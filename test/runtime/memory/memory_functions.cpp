// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: memcpy, memset and the string functions are accesses, of exactly the
// bytes that they touch, whether called by a function's name or made by the
// compiler.
//
// RUN: for i in memcpy-from memcpy-to memmove memset memcmp strcpy strlen strcat \
// RUN:   strchr struct variable; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t $i good || exit 1; done
// RUN: %clangxx_atsan -O0 -fno-builtin -I%inputs %s -o %t.plain
// RUN: for i in memcpy-from memcpy-to memmove memset memcmp strcpy strlen strcat \
// RUN:   strchr struct variable; do \
// RUN:   %exits 66 %t.plain $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t.plain $i good || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'user'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}memory_functions.cpp:

struct Large {
  char bytes[200];
};

// Strings of 15 characters; what follows their end belongs to nobody.
static Large area = {"0123456789abcde"};
static Large other = {"0123456789abcde"};
static size_t length = 100;

template <class Function> static void run(char *byte, Function function) {
  in_parallel(
      [=] {
        atsan::atomic_region region("user");
        STEP(1) function();
        STEP(3) function();
      },
      [=] {
        STEP(2) {
          char value = *byte;
          __asm__ volatile("" : "+r"(value)); // Else there is no write.
          *byte = value;
        }
      });
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  char *a = area.bytes, *b = other.bytes;
  size_t n = length;
  // In the good case, the first byte that is not touched.
  char *touched = good ? a + 100 : a + 99;
  char *in_string = good ? a + 16 : a + 15;
  if (is("memcpy-from"))
    run(touched, [=] { memcpy(b, a, n); });
  if (is("memcpy-to"))
    run(touched, [=] { memcpy(a, b, n); });
  if (is("memmove"))
    run(touched, [=] { memmove(a, b, n); });
  if (is("memset"))
    run(touched, [=] { memset(a, 0, n); });
  if (is("memcmp"))
    run(touched, [=] { USE(memcmp(a, b, n)); });
  if (is("strcpy"))
    run(in_string, [=] { strcpy(b, a); });
  if (is("strlen"))
    run(in_string, [=] { USE(strlen(a)); });
  if (is("strcat"))
    run(in_string, [=] {
      b[0] = 0;
      strcat(b, a);
    });
  if (is("strchr"))
    run(good ? a + 11 : a + 10, [=] { USE(strchr(a, 'a')); });
  if (is("struct"))
    run(good ? b : a + 199, [=] {
      Large copy = area;
      share(&copy);
    });
  if (is("variable"))
    run(good ? a + 200 - 1 : a + 50, [=] {
      for (size_t i = 0; i < n; i++) a[i] = b[i];
    });
}
