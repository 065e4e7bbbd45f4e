//===-- main.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a kernel: once, as a test that `atsan explore` takes; by one schedule
// after the other in process; or again and again without control. A finding
// ends the process.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sanitizer/atsan_explore.hpp>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

void explore(const char *Strategy, unsigned long Seed, unsigned long Runs,
             double Seconds) {
  atsan::explore_options Options;
  Options.strategy = Strategy;
  Options.seed = Seed;
  Options.runs = Runs;
  Options.seconds = Seconds;
  unsigned long Count = 0;
  atsan::explore(
      [&Count] {
        ++Count;
        test();
      },
      Options);
  std::printf("nothing found in %lu schedules\n", Count);
}

// A number in a file, which is read there when the process has been killed.
unsigned long *counterIn(const char *Path) {
  const int File = open(Path, O_RDWR | O_CREAT, 0600);
  void *Memory = MAP_FAILED;
  if (File >= 0 && ftruncate(File, sizeof(unsigned long)) == 0)
    Memory = mmap(nullptr, sizeof(unsigned long), PROT_READ | PROT_WRITE,
                  MAP_SHARED, File, 0);
  if (Memory == MAP_FAILED) {
    std::perror(Path);
    std::exit(2);
  }
  close(File);
  return static_cast<unsigned long *>(Memory);
}

void repeat(double Seconds, const char *CounterFile) {
  unsigned long *Count = counterIn(CounterFile);
  const auto End = Clock::now() + std::chrono::duration<double>(Seconds);
  while (Clock::now() < End) {
    ++*Count;
    test();
  }
  std::printf("nothing found in %lu runs\n", *Count);
}

} // namespace

int main(int Count, char **Words) {
  const std::string What = Count > 1 ? Words[1] : "";
  if (Count == 1)
    test();
  else if (What == "explore" && Count == 6)
    explore(Words[2], std::strtoul(Words[3], nullptr, 10),
            std::strtoul(Words[4], nullptr, 10),
            std::strtod(Words[5], nullptr));
  else if (What == "repeat" && Count == 4)
    repeat(std::strtod(Words[2], nullptr), Words[3]);
  else {
    std::fprintf(stderr,
                 "usage: %s [explore STRATEGY SEED SCHEDULES SECONDS |\n"
                 "           repeat SECONDS COUNTER_FILE]\n",
                 Words[0]);
    return 2;
  }
}
