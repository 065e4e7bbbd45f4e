// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: threads that wait for nobody but each other by the kernel (a pipe, an
// eventfd, a pair of sockets, an epoll of such) are in a deadlock, which is
// told at once; where another process may make a file ready, none is.
// RUN: %clangxx_atsan -O1 -fatomicity-schedule %s -o test
// RUN: for w in pipe event pair epoll poll; do %exits 66 %atsan explore --replays=1 --timeout=60 -- ./test $w bug || exit 1; done > bugs
// RUN: FileCheck --input-file=bugs %s
// CHECK-COUNT-5: deadlock: no thread can go on; {{.*}}; thread 0.1 waits in {{read|epoll_wait|poll}} for what only this process can write
// RUN: for w in pipe event pair epoll poll; do %atsan explore --runs=60 --timeout=60 -- ./test $w || exit 1; done | FileCheck --check-prefix=TWINS %s
// TWINS-COUNT-5: nothing found
// Somebody else has the other end, or may have it.
// RUN: for w in fifo handler; do %exits 66 %atsan explore --runs=100 --replays=1 --timeout=2 --strategy=random -- ./test $w bug || exit 1; done | FileCheck --check-prefix=OTHERS --implicit-check-not="1 deadlock" %s
// OTHERS-COUNT-2: 1 time out, in schedule
// RUN: %atsan explore --runs=2 --timeout=30 -- ./test child | FileCheck --check-prefix=CHILD %s
// CHILD: 2 schedules{{.*}}: nothing found
// RUN: for how in fork vfork; do ./test within $how || exit 1; done
// RUN: { sleep 1; echo; } | env ATSAN_OPTIONS=schedule_strategy=random ./test inherited
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sanitizer/atsan_explore.hpp>
#include <string>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

// Where nobody controls the threads, none sleeps.
extern "C" unsigned __atsan_scheduled;

static bool bug;
static int reader, writer;
static std::atomic<bool> sleeps, hasWork;

static void wait(const std::string &how) {
  char word[8];
  if (how == "epoll") {
    int all = epoll_create1(0);
    epoll_event event = {};
    event.events = EPOLLIN;
    epoll_ctl(all, EPOLL_CTL_ADD, reader, &event);
    epoll_wait(all, &event, 1, -1);
    close(all);
  } else if (how == "poll") {
    pollfd files[] = {{reader, POLLIN, 0}, {-1, POLLIN, 0}};
    poll(files, 2, -1);
  } else if (read(reader, word, sizeof(word)) < 0) {
    abort();
  }
}

// Between the look at `hasWork` and the word that it sleeps, work may come:
// then nobody wakes it. It has to look again.
static void sleeper(const std::string &how) {
  if (hasWork)
    return;
  sleeps = true;
  if (bug ? !__atsan_scheduled : hasWork.load())
    return;
  wait(how);
}

static void bringWork() {
  hasWork = true;
  const char word[8] = {1};
  if (sleeps && write(writer, word, sizeof(word)) < 0)
    abort();
}

// The other end of a pair of sockets is a child's, which comes late.
static void readFromChild(const char *how) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    abort();
  pid_t child;
  if (!strcmp(how, "vfork")) {
    if ((child = vfork()) == 0) {
      dup2(ends[1], STDOUT_FILENO);
      execl("/bin/sh", "sh", "-c", "sleep 0.5; echo", nullptr);
      _exit(1);
    }
  } else if ((child = fork()) == 0) {
    usleep(500000);
    _exit(write(ends[1], "x", 1) != 1);
  }
  close(ends[1]);
  char c = 0;
  std::thread reads([&] {
    if (read(ends[0], &c, 1) != 1)
      abort();
  });
  reads.join();
  waitpid(child, nullptr, 0);
  close(ends[0]);
}

static void openFiles(const std::string &how) {
  int ends[2] = {};
  if (how == "event" || how == "epoll")
    ends[0] = ends[1] = eventfd(0, 0);
  else if (how == "pair")
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  else if (how == "fifo")
    mkfifo("fifo", 0600), ends[0] = ends[1] = open("fifo", O_RDWR);
  else if (pipe(ends))
    abort();
  reader = ends[0], writer = ends[1];
}

int main(int argc, char **argv) {
  const std::string how = argv[1];
  bug = argc > 2;
  if (how == "inherited") {
    std::thread([] {
      char c;
      if (read(STDIN_FILENO, &c, 1) != 1)
        abort();
    }).join();
    return 0;
  }
  if (how == "child") {
    readFromChild("fork");
    return 0;
  }
  if (how == "within") {
    atsan::explore_options options;
    options.runs = 2;
    return atsan::explore([&] { readFromChild(argv[2]); }, options);
  }
  openFiles(how);
  if (how == "handler")
    signal(SIGUSR1, [](int) { (void)!write(writer, "12345678", 8); });
  std::thread a([&] { sleeper(how); });
  std::thread b(bringWork);
  a.join();
  b.join();
}
