//===- planted_thread_pool.cpp -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread pool of a header: two of its tasks look and act, each as one region.
//
//===----------------------------------------------------------------------===//

#include "planted.h"

#include <thread_pool/thread_pool.hpp>

static int Balance;
static volatile int Seen; // The reads must have an effect.

void look() { Seen = Balance; }
void act() { Balance = Balance + 1; }

int main(int Argc, char **Argv) {
  readHow(Argc, Argv);
  thread_pool::ThreadPool Pool(2);
  auto First = Pool.Submit([] { lookThenAct(&IsInTurn); });
  auto Second = Pool.Submit([] { lookThenAct(nullptr); });
  First.get();
  Second.get();
  return 0;
}
