// RUN: %clangxx_atsan -O1 -g -I%inputs %s -o %t
// Intent: a region that is left open when its thread ends, or the process after
// its function has returned, is said once, with the place of its begin; the
// exit code stays as it is.
// RUN: %exits 3 %t thread 2>&1 | FileCheck --check-prefix=THREAD %s
// THREAD: WARNING: AtomicitySanitizer: region 'left' of T{{[12]}}, begun at {{.*}}left_open.cpp:41, was still open when the thread ended: on some path its end is missing
// THREAD-NEXT: #0 {{.*}}leave_open
// THREAD-NOT: WARNING
// RUN: %exits 3 %t main 2>&1 | FileCheck --check-prefix=MAIN %s
// MAIN: WARNING: AtomicitySanitizer: region 'left' of the main thread, begun at {{.*}}left_open.cpp:41, was still open when the process ended
// MAIN-NOT: WARNING
//
// In a log it is part of the process' record.
// RUN: rm -rf %t.logs && mkdir %t.logs
// RUN: for i in main main thread; do env ATSAN_OPTIONS=report_format=json:log_path=%t.logs/log %exits 3 %t $i || exit 1; done
// RUN: %atsan report %t.logs 2>&1 | FileCheck --check-prefix=LOG %s
// LOG: warning: {{.*}}left_open.cpp.tmp: region 'left' of T{{[12]}}, begun at {{.*}}was still open when the thread ended
// LOG-NEXT: warning: {{.*}}left_open.cpp.tmp: region 'left' of the main thread, begun at {{.*}}was still open when the process ended
// LOG-NOT: warning
//
// The twins: regions that end; exits in the middle of one; another thread that
// is within one when the process ends, or that exits in one.
// RUN: for how in ended exit _exit other unwound given_up; do %exits 3 %t $how > %t.out 2>&1 && test ! -s %t.out || exit 1; done
// Who ends the process in the middle of a region leaves it open by intent,
// whatever function began it, and in whatever thread.
// RUN: %clangxx_atsan -O0 -g -I%inputs %s -o %t.O0
// RUN: for p in %t %t.O0; do for how in exit quick_exit _exit abort child thread_exit; do env ATSAN_OPTIONS=handle_abort=0 $p guard $how > %t.out 2>&1; test $? = $(case $how in abort) echo 134;; *) echo 3;; esac) && test ! -s %t.out || { cat %t.out; exit 1; }; done; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"
#include <string>
#include <sys/wait.h>
#include <unistd.h>

int x, y;

__attribute__((noinline)) static void leave_open(int &of = x) {
  __atsan_region_begin("left");
  of++;
}

// Frames that write over those that are gone.
__attribute__((noinline)) static int deeper(int n) {
  volatile char used[256];
  used[n] = n;
  return n ? deeper(n - 1) + used[n] : 0;
}

struct Guard {
  __attribute__((noinline)) Guard() { __atsan_region_begin("guard"); }
  __attribute__((noinline)) ~Guard() { __atsan_region_end(); }
};

__attribute__((noinline)) static void end_by(const std::string &how) {
  deeper(9);
  x++;
  if (how == "exit")
    exit(3);
  if (how == "quick_exit")
    quick_exit(3);
  if (how == "_exit")
    _exit(3);
  if (how == "abort")
    abort();
}

static int guarded(const std::string &how) {
  if (how == "thread_exit")
    std::thread([] { guarded("exit"); }).join();
  if (how == "child") {
    const pid_t child = fork();
    if (!child)
      guarded("_exit");
    waitpid(child, nullptr, 0);
    return 3;
  }
  Guard guard;
  end_by(how);
  return 0;
}

int main(int, char **argv) {
  const char *how = argv[1];
  const auto is = [=](const char *other) { return !strcmp(how, other); };
  if (is("guard"))
    return guarded(argv[2]);
  if (is("thread"))
    in_parallel([] { leave_open(x); }, [] { leave_open(y); });
  if (is("main")) {
    leave_open();
    deeper(9);
  }
  if (is("ended")) {
    leave_open();
    __atsan_region_end();
  }
  if (is("exit") || is("_exit")) {
    atsan::atomic_region region("in the middle");
    x++;
    is("exit") ? exit(3) : _exit(3);
  }
  if (is("other")) {
    std::thread([] {
      atsan::atomic_region region("in the middle");
      STEP(1) {
      }
      STEP(3) {
      }
    }).detach();
    STEP(2) exit(3);
  }
  if (is("unwound"))
    std::thread([] {
      atsan::atomic_region region("in the middle");
      pthread_exit(nullptr);
    }).join();
  if (is("given_up"))
    std::thread([] {
      leave_open();
      pthread_exit(nullptr);
    }).join();
  return 3;
}
