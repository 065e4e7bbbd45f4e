//===-- launch.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a program and writes what it used to a file, one line:
//
//   <exit code, or 128 + signal> <wall s> <CPU s> <peak resident set, KiB>
//
// A program of its own because Linux counts the memory of the process that
// forks into the peak of the one that it executes: Python would add its 15 MiB.
//
//===----------------------------------------------------------------------===//

#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>

static double now() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return T.tv_sec + T.tv_nsec / 1e9;
}

static double seconds(const timeval &T) { return T.tv_sec + T.tv_usec / 1e6; }

int main(int Argc, char **Argv) {
  if (Argc < 3) {
    fprintf(stderr, "usage: launch <file> <program> <argument>...\n");
    return 2;
  }
  double Start = now();
  pid_t Child = fork();
  if (Child < 0) {
    perror("launch: fork");
    return 1;
  }
  if (Child == 0) {
    execv(Argv[2], Argv + 2);
    perror(Argv[2]);
    _exit(127);
  }
  int Status = 0;
  rusage Usage;
  if (wait4(Child, &Status, 0, &Usage) != Child) {
    perror("launch: wait4");
    return 1;
  }
  double Wall = now() - Start;
  FILE *Out = fopen(Argv[1], "w");
  if (!Out) {
    perror(Argv[1]);
    return 1;
  }
  int Code = WIFEXITED(Status) ? WEXITSTATUS(Status) : 128 + WTERMSIG(Status);
  fprintf(Out, "%d %.6f %.6f %ld\n", Code, Wall,
          seconds(Usage.ru_utime) + seconds(Usage.ru_stime), Usage.ru_maxrss);
  return fclose(Out) == 0 ? 0 : 1;
}
