// The first three runs have a violation in one place, later ones in another, by
// any schedule: the threads hand over by semaphores. A file counts the runs.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fstream>
#include <sanitizer/atsan.hpp>
#include <semaphore.h>
#include <string>
#include <thread>

static int x, y;
static sem_t looked, wrote;

static void hand_over() {
  sem_post(&looked);
  sem_wait(&wrote);
}

// Two functions, so that the accesses are at different places.
__attribute__((noinline)) static void increment_x() {
  const int was = x;
  hand_over();
  x = was + 1;
}

__attribute__((noinline)) static void increment_y() {
  const int was = y;
  hand_over();
  y = was + 1;
}

static bool is_late() {
  std::ofstream("runs", std::ios::app) << '\n';
  std::ifstream runs("runs");
  int count = 0;
  for (std::string line; std::getline(runs, line);)
    count++;
  return count > 3;
}

int main() {
  const bool late = is_late();
  sem_init(&looked, 0, 0);
  sem_init(&wrote, 0, 0);
  std::thread other([late] {
    sem_wait(&looked);
    if (late)
      y = 7;
    else
      x = 7;
    sem_post(&wrote);
  });
  {
    atsan::atomic_region region("increment");
    late ? increment_y() : increment_x();
  }
  other.join();
}
