// RUN: %clang_atsan -O1 %s -o %t && %run %t 2>&1 | FileCheck --match-full-lines %s
// Intent: the attribute of a new thread stays as the program has made it, and a
// stack of the program's own is taken without a word. (The stack of a thread
// that asks for a size has room for the runtime beside that.)
// CHECK-NOT: {{.*}}Sanitizer{{.*}}
// CHECK: 65536 bytes asked for
// CHECK: own stack used
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kSize = 65536 };

static void *address(void *unused) {
  (void)unused;
  return __builtin_frame_address(0);
}

static char *run(const pthread_attr_t *attribute) {
  pthread_t thread;
  void *result;
  if (pthread_create(&thread, attribute, address, NULL) ||
      pthread_join(thread, &result))
    exit(1);
  return result;
}

int main(void) {
  pthread_attr_t attribute;
  size_t size;
  pthread_attr_init(&attribute);
  pthread_attr_setstacksize(&attribute, kSize);
  run(&attribute);
  pthread_attr_getstacksize(&attribute, &size);
  printf("%zu bytes asked for\n", size);

  char *stack = aligned_alloc(4096, kSize);
  pthread_attr_setstack(&attribute, stack, kSize);
  if ((size_t)(run(&attribute) - stack) < kSize)
    puts("own stack used");
  free(stack);
  return 0;
}
