//===-- gate_open.c -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked with a program without regions (bench/ablation): a thread that sleeps
// inside a region as long as the program runs, so that the gate in front of
// every access is open.
//
//===----------------------------------------------------------------------===//

#include <sanitizer/atsan_interface.h>

#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t IsInside;

static void *sleepInRegion(void *Unused) {
  __atsan_region_begin("gate open");
  sem_post(&IsInside);
  for (;;)
    pause();
  return Unused;
}

__attribute__((constructor)) static void openGate(void) {
  pthread_t Thread;
  sem_init(&IsInside, 0, 0);
  pthread_create(&Thread, 0, sleepInRegion, 0);
  pthread_detach(Thread);
  sem_wait(&IsInside);
}
