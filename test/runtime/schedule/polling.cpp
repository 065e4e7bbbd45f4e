// RUN: %clangxx_atsan -std=c++20 -O1 -fatomicity-schedule %s -o %t
// Intent: who polls does not starve the one it waits for, and a wait with a
// limit is over when its time is, whoever decides: a strategy, or nobody.
// RUN: printf 'atsan-schedule 1\nend\n' > %t.sched
// RUN: for how in lock clock sleep files poll epoll select socket; do \
// RUN:   for s in surw pct pos random systematic; do \
// RUN:     env ATSAN_OPTIONS=schedule_strategy=$s timeout 8 %silent %t $how || exit 1; done; \
// RUN:   env ATSAN_OPTIONS=schedule=%t.sched timeout 8 %silent %t $how || exit 1; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <chrono>
#include <cstring>
#include <functional>
#include <mutex>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <thread>
#include <time.h>
#include <unistd.h>

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

static std::mutex m;
static int answers;

static int seen() {
  std::lock_guard<std::mutex> guard(m);
  return answers;
}

// One thread asks until the other one, which does something in between, has
// answered a few times.
static void untilAnswered(std::function<void()> ask,
                          std::function<void()> wait) {
  std::thread asks([&] {
    while (seen() < 3) ask();
  });
  for (int i = 0; i < 3; i++) {
    wait();
    std::lock_guard<std::mutex> guard(m);
    answers++;
  }
  asks.join();
}

// Waits for what never comes, again and again, until it is late.
static void untilLate(std::function<void()> wait) {
  for (const auto end = Clock::now() + 20ms; Clock::now() < end;) wait();
}

int main(int, char **argv) {
  int ends[2], pair[2];
  if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
    return 1;
  const int event = eventfd(0, EFD_NONBLOCK), e = epoll_create1(0);
  epoll_event wanted = {EPOLLIN, {}};
  epoll_ctl(e, EPOLL_CTL_ADD, strcmp(argv[1], "files") ? ends[0] : event,
            &wanted);
  uint64_t one = 1;
  if (!strcmp(argv[1], "lock"))
    untilAnswered([] {}, [] {});
  if (!strcmp(argv[1], "clock"))
    untilAnswered([] {}, [] { Clock::now(); });
  if (!strcmp(argv[1], "sleep"))
    untilAnswered([] { std::this_thread::sleep_for(0s); },
                  [] { Clock::now(); });
  if (!strcmp(argv[1], "files"))
    untilAnswered([&] { (void)!write(event, &one, sizeof(one)); },
                  [&] {
                    Clock::now();
                    epoll_wait(e, &wanted, 1, -1);
                    Clock::now();
                    (void)!read(event, &one, sizeof(one));
                  });
  pollfd readable = {ends[0], POLLIN, 0};
  if (!strcmp(argv[1], "poll"))
    untilLate([&] { poll(&readable, 1, 10); });
  if (!strcmp(argv[1], "epoll"))
    untilLate([&] { epoll_wait(e, &wanted, 1, 10); });
  if (!strcmp(argv[1], "select"))
    untilLate([&] {
      fd_set set;
      FD_ZERO(&set);
      FD_SET(ends[0], &set);
      timeval limit = {0, 10000};
      select(ends[0] + 1, &set, nullptr, nullptr, &limit);
    });
  const timeval limit = {0, 10000};
  setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  if (!strcmp(argv[1], "socket"))
    untilLate([&] { (void)!read(pair[0], &one, 1); });
}
