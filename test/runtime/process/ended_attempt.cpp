// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: what a failed compare-exchange has closed is reported if its thread
// ends, ends the process, or puts another program in its place: it does not
// give up the attempt any more. Whether another thread would have is not known.
// A child by fork has nothing to report.
// RUN: for end in pthread_exit fork exit _exit quick_exit abort assert fault trap execl execlp execle \
// RUN:     execv execvp execve execvpe fexecve execveat; do \
// RUN:   env ATSAN_OPTIONS=handle_sigill=1 %exits 66 %t own $end 2>&1 | FileCheck %s || exit 1; \
// RUN:   env ATSAN_OPTIONS=handle_sigill=1 %t restart $end > %t.out 2>&1; echo $? $end >> %t.out; \
// RUN:   not grep atomicity-violation %t.out || exit 1; done
// CHECK: region 'add'
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}ended_attempt.cpp:[[@LINE+85]]
// RUN: %silent %t others
//
// The arguments arrive.
// RUN: %t none execl | FileCheck --check-prefix=TEN %s
// RUN: %t none execlp | FileCheck --check-prefix=TEN %s
// RUN: %t none execle | FileCheck --check-prefix=TEN %s
// RUN: %t none execvpe | FileCheck --check-prefix=TEN %s
// TEN: 1 2 3 4 5 6 7 8 9 ten
// RUN: %exits 3 %t none execl-nothing
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <assert.h>
#include <atomic>
#include <fcntl.h>
#include <map>
#include <signal.h>
#include <stdlib.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

static std::atomic<int> counter;

static const char shell[] = "/bin/sh";
static const char script[] = "echo $1 $2 $3 $4 $5 $6 $7 $8 $9 $last";
static char last[] = "last=ten", path[] = "PATH=/bin:/usr/bin";
static char *const envp[] = {last, path, nullptr};

#define WORDS                                                                  \
  "sh", "-c", script, "sh", "1", "2", "3", "4", "5", "6", "7", "8", "9"

static void exitAfterFork() {
  pid_t child = fork();
  if (!child)
    exit(0);
  int status;
  if (waitpid(child, &status, 0) != child || status)
    raise(SIGKILL); // Not by exit, which reports.
  exit(0);
}

static void fail(const std::string &how) {
  const char *const words[] = {WORDS, nullptr};
  auto *argv = const_cast<char *const *>(words);
  const std::map<std::string, void (*)(char *const *)> ends = {
      {"pthread_exit", [](char *const *) { pthread_exit(nullptr); }},
      {"fork", [](char *const *) { exitAfterFork(); }},
      {"exit", [](char *const *) { exit(0); }},
      {"_exit", [](char *const *) { _exit(0); }},
      {"quick_exit", [](char *const *) { quick_exit(0); }},
      {"abort", [](char *const *) { abort(); }},
      {"assert", [](char *const *) { assert(!"reached"); }},
      {"fault",
       [](char *const *) { *static_cast<int *volatile>(nullptr) = 1; }},
      {"trap", [](char *const *) { __builtin_trap(); }},
      {"execl", [](char *const *) { execl(shell, WORDS, nullptr); }},
      {"execlp", [](char *const *) { execlp("sh", WORDS, nullptr); }},
      {"execle", [](char *const *) { execle(shell, WORDS, nullptr, envp); }},
      {"execv", [](char *const *argv) { execv(shell, argv); }},
      {"execvp", [](char *const *argv) { execvp("sh", argv); }},
      {"execve", [](char *const *argv) { execve(shell, argv, envp); }},
      {"execvpe", [](char *const *argv) { execvpe("sh", argv, envp); }},
      {"fexecve",
       [](char *const *argv) { fexecve(open(shell, O_RDONLY), argv, envp); }},
      {"execveat",
       [](char *const *argv) { execveat(AT_FDCWD, shell, argv, envp, 0); }},
      {"execl-nothing",
       [](char *const *) { execl("/nothing/is/there", WORDS, nullptr); }},
  };
  ends.at(how)(argv);
  exit(3);
}

// Attempts an addition that another thread makes fail.
static void add(const std::string &mode, const std::string &end) {
  __atsan_region_begin("add"); // No destructor ends it.
  int seen;
  STEP(1) seen = counter.load();
  step_begin(3);
  bool done = counter.compare_exchange_strong(seen, seen + 1);
  CHECK(!done);
  if (mode == "restart")
    __atomic_restart();
  if (mode == "others") {
    step_end(3);
    step_begin(5); // Never comes.
  }
  fail(end);
}

int main(int argc, char **argv) {
  CHECK(argc >= 2);
  const std::string mode = argv[1], end = argc > 2 ? argv[2] : "";
  setenv("last", "ten", 1);
  if (mode == "none")
    fail(end);
  in_parallel([=] { add(mode, end); },
              [=] {
                STEP(2) counter++;
                if (mode == "others") {
                  step_begin(4);
                  exit(0);
                }
              });
}
