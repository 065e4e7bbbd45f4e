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

// Returns when it is the turn of step `n`; steps begin with 0.
void waitForStep(int n);
// It is the next step's turn.
void stepDone();

#endif // TURNS_H
