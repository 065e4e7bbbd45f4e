// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx_atsan -O1 -fatomicity-schedule %s -o handlers
// Intent: a program that has handlers of its own for aborts and faults, as
// tests of Catch2 and doctest have, ends in them; what shows it is written
// before.
// RUN: for how in abort fault; do \
// RUN:   not --crash ./handlers $how explore > said 2>&1 || exit 1; \
// RUN:   FileCheck --check-prefix=INSIDE --input-file=said %s || exit 1; \
// RUN:   grep 'replay it:' said | sed 's/.*replay it: *//' > line; \
// RUN:   not --crash sh -c "exec env $(cat line)" 2>&1 | FileCheck --check-prefix=AGAIN %s || exit 1; \
// RUN:   %exits 66 %atsan explore --strategy=surw -- ./handlers $how > said || exit 1; \
// RUN:   FileCheck --check-prefix=OUTSIDE --input-file=said %s || exit 1; done
// INSIDE: explore: a finding in schedule [[#]], which ends the process
// INSIDE-NEXT: replay it: ATSAN_OPTIONS=schedule=handlers.{{[0-9]+}}.sched ./handlers
// INSIDE-NEXT: the program's own handler
// AGAIN-NOT: diverged
// AGAIN: the program's own handler
// OUTSIDE: 1 crash, in schedule {{[0-9]+}} (replayed 20 of 20 times)
//
// A handler may also mend what is wrong: the run goes on under control.
// RUN: env ATSAN_OPTIONS=schedule_strategy=surw:schedule_out=out.sched ./handlers mended
// RUN: FileCheck --check-prefix=MENDED --input-file=out.sched %s
// MENDED: #: end exit
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sanitizer/atsan_explore.h>
#include <sanitizer/atsan_interface.h>
#include <sched.h>
#include <thread>
#include <unistd.h>

static std::mutex lock;
static int value;
static const char *how;
static bool explores;
static sigjmp_buf recovery;

static void fault() { *(volatile int *)8 = 1; }

static void note(int signal) {
  static const char text[] = "the program's own handler\n";
  if (!strcmp(how, "mended"))
    siglongjmp(recovery, 1);
  if (write(2, text, sizeof(text) - 1) < 0)
    _exit(1);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

// By itself the program passes, also on a busy machine: nobody controls the
// order, and the first thread comes first.
ATSAN_NO_SANITIZE static void awaitFirst() {
  const char *options = getenv("ATSAN_OPTIONS");
  if (explores || (options && (strstr(options, "schedule_strategy=") ||
                               strstr(options, "schedule="))))
    return;
  while (!__atomic_load_n(&value, __ATOMIC_ACQUIRE)) sched_yield();
}

// The second thread takes for granted that the first one was there.
static void test(void *) {
  value = 0;
  std::thread first([] {
    std::lock_guard<std::mutex> guard(lock);
    value = 1;
  });
  awaitFirst();
  std::thread second([] {
    std::lock_guard<std::mutex> guard(lock);
    if (value == 1 || !strcmp(how, "mended"))
      return;
    !strcmp(how, "fault") ? fault() : abort();
  });
  first.join();
  second.join();
}

int main(int argc, char **argv) {
  how = argv[1];
  explores = argc > 2;
  std::signal(SIGABRT, note);
  std::signal(SIGSEGV, note);
  if (explores)
    return __atsan_explore(test, nullptr, nullptr);
  if (!strcmp(how, "mended") && !sigsetjmp(recovery, 1))
    raise(SIGABRT);
  test(nullptr);
}
