//===-- turns.h -------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forces a schedule, invisibly: turns.cpp is compiled without the sanitizer.
//
//===----------------------------------------------------------------------===//
#ifndef TURNS_H
#define TURNS_H

#ifdef __cplusplus
extern "C" {
#endif

// Returns when it is the turn of step `n`; steps begin with 0.
void waitForStep(int n);
// It is the next step's turn.
void stepDone(void);

// The calling thread is going to wait for a lock that another one holds.
void goingToSleep(void);
// Returns when the thread that said so sleeps in the kernel.
void waitForSleeper(void);

#ifdef __cplusplus
}
#endif

#endif // TURNS_H
