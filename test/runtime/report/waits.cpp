// RUN: %clangxx_atsan -O1 -pthread %s -o %t
// RUN: %exits 66 %t semaphore 2>&1 | FileCheck %s --check-prefixes=CHECK,SEMAPHORE
// RUN: %exits 66 %t futex 2>&1 | FileCheck %s --check-prefixes=CHECK,FUTEX
// RUN: %exits 66 %t before 2>&1 | FileCheck %s --check-prefix=BEFORE --implicit-check-not="has waited"
// RUN: %silent %t apart
// Intent: a region that waits for another thread's answer is not atomic, and a
// lock around both would let them wait for ever; the report says so. A wait of
// an earlier region is none of this one.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <linux/futex.h>
#include <sanitizer/atsan_interface.h>
#include <semaphore.h>
#include <string.h>
#include <sys/syscall.h>
#include <thread>
#include <time.h>
#include <unistd.h>

static sem_t Asked, Answered;
static int Question, Answer;

static void serve() {
  sem_wait(&Asked);
  Answer = Question + 1;
  sem_post(&Answered);
}

static void waitALittle() {
  static int Word;
  timespec Limit = {0, 1000000};
  syscall(SYS_futex, &Word, FUTEX_WAIT, 0, &Limit, nullptr, 0);
}

static void waitForAnswer(const char *How) {
  if (!strcmp(How, "semaphore")) {
    sem_wait(&Answered);
    return;
  }
  if (!strcmp(How, "futex"))
    waitALittle();
  while (sem_trywait(&Answered)) sched_yield();
}

int main(int argc, char **argv) {
  const char *How = argv[1];
  sem_init(&Asked, 0, 0);
  sem_init(&Answered, 0, 0);
  __atomic_begin();
  waitALittle();
  __atomic_end();
  std::thread Server(serve);
  __atomic_begin();
  Question = 1;
  sem_post(&Asked);
  if (!strcmp(How, "apart"))
    __atomic_end();
  waitForAnswer(How);
  if (!strcmp(How, "apart"))
    __atomic_begin();
  Question = Answer;
  __atomic_end();
  Server.join();
}

// CHECK: To fix it, let nothing that conflicts come in between
// SEMAPHORE: The region has waited in sem_wait at waits.cpp:40.
// FUTEX: The region has waited in a call of futex at waits.cpp:35.
// CHECK-NEXT: If it waits there for T1, a lock around both would let them wait for ever: let the region end
// CHECK-NEXT: before the wait, and another one begin behind it.
// BEFORE: To fix it, let nothing that conflicts come in between
