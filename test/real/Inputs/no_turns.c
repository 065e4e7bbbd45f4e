/*===- no_turns.c ---------------------------------------------------------===*
 *
 * Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*
 *
 * Stands in for turns.cpp where `atsan explore` is to find the schedule.
 *
 *===------------------------------------------------------------------------===*/

#include "turns.h"

void waitForStep(int n) { (void)n; }
void stepDone(void) {}
