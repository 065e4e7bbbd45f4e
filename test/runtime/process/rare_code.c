// RUN: %clang_atsan -O1 %s -o %t
// Intent: code that runs rarely calls its hooks without a test of the gate, so
// also before the runtime is ready and when a thread has ended: in a function
// of .preinit_array, in constructors and destructors, in destructors of
// thread-specific data, in a signal handler and in the child of a vfork.
// RUN: %run %t 2>&1 | FileCheck %s
// CHECK-NOT: {{.}}
// CHECK: preinit constructor thread signal last last child exit
// CHECK-NOT: {{.}}
// RUN: %clang_atsan -O1 -S -emit-llvm %s -o - | FileCheck --check-prefix=IR %s
// IR-LABEL: define {{.*}}@touch(
// IR-NOT: @__atsan_gate
// IR: call void @__atsan_write4(
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define RARE __attribute__((minsize, noinline))

static char text[100];
static unsigned length;
static pthread_key_t key;

RARE static void touch(const char *word) {
  while (*word) text[length++] = *word++;
  text[length++] = ' ';
}

RARE static void at_preinit(int argc, char **argv, char **environment) {
  (void)argc;
  (void)argv;
  (void)environment;
  touch("preinit");
}

__attribute__((section(".preinit_array"),
               used)) static void (*const preinit)(int, char **,
                                                   char **) = at_preinit;

__attribute__((minsize, constructor(101))) static void construct(void) {
  touch("constructor");
}

__attribute__((minsize, destructor)) static void destruct(void) {
  touch("exit");
  text[length - 1] = '\n';
  if (write(STDOUT_FILENO, text, length) != (ssize_t)length)
    _exit(1);
}

RARE static void last(void *again) {
  touch("last");
  if (again == &key)
    pthread_setspecific(key, &length); // Is called once more.
}

RARE static void handle(int number) {
  (void)number;
  touch("signal");
}

RARE static void *run(void *argument) {
  touch("thread");
  pthread_setspecific(key, &key);
  raise(SIGUSR1);
  return argument;
}

int main(void) {
  pthread_t thread;
  signal(SIGUSR1, handle);
  pthread_key_create(&key, last);
  pthread_create(&thread, NULL, run, NULL);
  pthread_join(thread, NULL);
  if (vfork() == 0) {
    touch("child");
    _exit(0);
  }
  return 0;
}
