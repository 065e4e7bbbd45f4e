// RUN: %clang -shared -fPIC -fno-builtin -DLIBRARY %s -o %t.so
// RUN: %clang_atsan -O1 -I%inputs %s %t.so -o %t -lpthread
// Intent: what a module of the system does within getpwnam and its kin, with
// data of its own, is none of the program's; the same code called by the
// program is, and so is what getpwnam reads of the program's.
// RUN: %silent %t lookup
// RUN: %exits 66 %t remember 2>&1 | FileCheck %s --check-prefix=REMEMBER
// REMEMBER: region 'user'
// REMEMBER: SUMMARY: AtomicitySanitizer: atomicity-violation
// RUN: %exits 66 %t argument 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT: region 'user'
// ARGUMENT: global 'name'
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifdef LIBRARY

// As such a module has it: a cache, and calls of intercepted functions.
#include <pwd.h>
#include <string.h>

static char cache[64];

void remember(const char *name) { memcpy(cache, name, strlen(name) + 1); }

struct passwd *getpwnam(const char *name) {
  remember(name);
  return NULL;
}

#else

#include "atsan_test.h"

#include <pthread.h>
#include <pwd.h>

void remember(const char *name);

static const char *how;
static char name[8] = "nobody";

static void call(void) {
  if (!strcmp(how, "remember"))
    remember("nobody");
  else
    USE(getpwnam(strcmp(how, "argument") ? "nobody" : name));
}

static void *user(void *arg) {
  (void)arg;
  __atsan_region_begin("user");
  STEP(1) call();
  STEP(3) call();
  __atsan_region_end();
  return NULL;
}

static void *other(void *arg) {
  (void)arg;
  STEP(2) {
    call();
    name[0] = 'N';
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t a, b;
  how = argv[argc - 1];
  pthread_create(&a, NULL, user, NULL);
  pthread_create(&b, NULL, other, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}

#endif
