//===- planted.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A violation to be planted beside a real program: two threads look at
// something of the program's, and then change it, each as one region. Called
// with `together` the second one comes in between, with `in-turn` it comes
// after; with `locked`, both hold a lock. For C and C++.
//
//===----------------------------------------------------------------------===//

#ifndef PLANTED_H
#define PLANTED_H

#include "turns.h"

#include <pthread.h>
#include <sanitizer/atsan_interface.h>
#include <string.h>

void look(void); // The program that includes this file defines both.
void act(void);

static int IsInTurn, IsLocked;
static pthread_mutex_t Repair = PTHREAD_MUTEX_INITIALIZER;

static void *lookThenAct(void *IsFirst) {
  waitForStep(IsFirst ? 0 : 1);
  if (IsLocked)
    pthread_mutex_lock(&Repair);
  __atsan_region_begin("look, then act");
  look();
  if (IsFirst && !IsInTurn) {
    stepDone();
    waitForStep(2);
  }
  act();
  __atsan_region_end();
  if (IsLocked)
    pthread_mutex_unlock(&Repair);
  if (!IsFirst || IsInTurn)
    stepDone();
  return 0;
}

static void readHow(int Argc, char **Argv) {
  IsInTurn = Argc > 1 && !strcmp(Argv[1], "in-turn");
  IsLocked = Argc > 1 && !strcmp(Argv[1], "locked");
}

static void runPlanted(int Argc, char **Argv) {
  pthread_t First, Second;
  readHow(Argc, Argv);
  pthread_create(&First, 0, lookThenAct, &IsInTurn);
  pthread_create(&Second, 0, lookThenAct, 0);
  pthread_join(First, 0);
  pthread_join(Second, 0);
}

#endif // PLANTED_H
