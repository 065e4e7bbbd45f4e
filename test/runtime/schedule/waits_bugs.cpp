// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx_atsan -std=c++20 -O1 -fatomicity-schedule %s -o waits
// Intent: for each way to wait, a test with a bug that passes most of the time:
// it is found. Its correct twin is never reported.
// (A std::stop_token has too many orders for a systematic search.)
// RUN: for wait in $(./waits); do for strategy in pct systematic; do \
// RUN:   test $wait.$strategy = stop_token.systematic && continue; \
// RUN:   not ./waits $wait bug $strategy > said 2>&1 || { echo "$wait: not found by $strategy"; exit 1; }; \
// RUN:   grep -q 'explore: a finding in schedule' said || { cat said; exit 1; }; \
// RUN:   %silent ./waits $wait twin $strategy || { echo "$wait: the twin, by $strategy"; exit 1; }; \
// RUN: done; done
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <latch>
#include <mutex>
#include <pthread.h>
#include <sanitizer/atsan_explore.hpp>
#include <semaphore.h>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace std::chrono_literals;

static void expect(bool holds) {
  if (!holds)
    __atsan_explore_failed();
}

template <class A, class B> static void inParallel(A a, B b) {
  std::thread x(a), y(b);
  x.join();
  y.join();
}

// Two threads add one each. Between the read and the write, `with` lets go.
template <class With> static void addTwice(With with) {
  int value = 0;
  auto add = [&] {
    int seen = 0;
    with([&] { seen = value; }, [&] { value = seen + 1; });
  };
  inParallel(add, add);
  expect(value == 2);
}

static void mutex(bool bug) {
  std::mutex m;
  addTwice([&](auto read, auto write) {
    std::unique_lock<std::mutex> l(m);
    read();
    if (bug) {
      l.unlock();
      l.lock();
    }
    write();
  });
}

// The time is over: the lock was not taken.
static void timed(bool bug) {
  std::timed_mutex m;
  addTwice([&](auto read, auto write) {
    bool taken = m.try_lock_for(1ms);
    if (!taken && !bug) {
      m.lock();
      taken = true;
    }
    read();
    std::this_thread::sleep_for(1s);
    write();
    if (taken)
      m.unlock();
  });
}

// Readers may be there at the same time.
static void rwlock(bool bug) {
  std::shared_mutex m;
  addTwice([&](auto read, auto write) {
    if (bug)
      m.lock_shared();
    else
      m.lock();
    read();
    write();
    if (bug)
      m.unlock_shared();
    else
      m.unlock();
  });
}

// The signal comes between the look and the wait.
static void condition(bool bug) {
  std::mutex m;
  std::condition_variable c;
  bool ready = false;
  inParallel(
      [&] {
        std::unique_lock<std::mutex> l(m);
        if (!bug)
          return c.wait(l, [&] { return ready; });
        const bool seen = ready;
        l.unlock();
        l.lock();
        if (!seen)
          c.wait(l);
      },
      [&] {
        std::lock_guard<std::mutex> l(m);
        ready = true;
        c.notify_one();
      });
}

// One thread says that the data is there, and the other one believes it.
template <class Say, class Wait>
static void tellsOfData(bool bug, Say say, Wait wait) {
  std::atomic<int> data{0};
  inParallel(
      [&] {
        if (!bug)
          data = 1;
        say();
        data = 1;
      },
      [&] {
        wait();
        expect(data == 1);
      });
}

static void semaphore(bool bug) {
  sem_t s;
  sem_init(&s, 0, 0);
  tellsOfData(bug, [&] { sem_post(&s); }, [&] { sem_wait(&s); });
  sem_destroy(&s);
}

static void countingSemaphore(bool bug) {
  std::counting_semaphore<> s(0);
  tellsOfData(bug, [&] { s.release(); }, [&] { s.acquire(); });
}

static void latch(bool bug) {
  std::latch l(1);
  tellsOfData(bug, [&] { l.count_down(); }, [&] { l.wait(); });
}

static void future(bool bug) {
  std::promise<void> p;
  auto f = p.get_future();
  tellsOfData(bug, [&] { p.set_value(); }, [&] { f.wait(); });
}

static void pipes(bool bug) {
  int ends[2];
  expect(pipe(ends) == 0);
  char c = 0;
  tellsOfData(
      bug, [&] { expect(write(ends[1], &c, 1) == 1); },
      [&] { expect(read(ends[0], &c, 1) == 1); });
  close(ends[0]);
  close(ends[1]);
}

static void epoll(bool bug) {
  int ends[2];
  expect(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const int e = epoll_create1(0);
  epoll_event event = {};
  event.events = EPOLLIN;
  epoll_ctl(e, EPOLL_CTL_ADD, ends[0], &event);
  tellsOfData(
      bug, [&] { expect(send(ends[1], "x", 1, 0) == 1); },
      [&] { expect(epoll_wait(e, &event, 1, -1) == 1); });
  for (int fd : {e, ends[0], ends[1]}) close(fd);
}

// The second phase begins when all have read the result of the first one.
template <class Meet> static void phases(bool bug, Meet meet) {
  std::atomic<int> value{0};
  inParallel(
      [&] {
        value = 1;
        meet();
        if (!bug)
          meet();
        value = 2;
      },
      [&] {
        meet();
        expect(value == 1);
        if (!bug)
          meet();
      });
}

static void barrier(bool bug) {
  pthread_barrier_t b;
  pthread_barrier_init(&b, nullptr, 2);
  phases(bug, [&] { pthread_barrier_wait(&b); });
  pthread_barrier_destroy(&b);
}

static void cxxBarrier(bool bug) {
  std::barrier<> b(2);
  phases(bug, [&] { b.arrive_and_wait(); });
}

static void once(bool bug) {
  std::once_flag flag;
  std::atomic<bool> done{false};
  std::atomic<int> times{0};
  auto call = [&] {
    if (!bug)
      return std::call_once(flag, [&] { times++; });
    if (!done) {
      times++;
      done = true;
    }
  };
  inParallel(call, call);
  expect(times == 1);
}

static void join(bool bug) {
  std::atomic<int> result{0};
  std::thread t([&] { result = 7; });
  if (!bug)
    t.join();
  expect(result == 7);
  if (bug)
    t.join();
}

// The bug: a waiter is told before there is something new.
static void atomicWait(bool bug) {
  std::atomic<int> word{0};
  inParallel([&] { word.wait(0); },
             [&] {
               if (bug)
                 word.notify_one();
               word = 1;
               if (!bug)
                 word.notify_one();
             });
}

// The last item comes right before the request to stop.
static void stopToken(bool bug) {
  std::mutex m;
  std::condition_variable_any c;
  int pending = 0, done = 0;
  {
    std::jthread worker([&](std::stop_token stop) {
      std::unique_lock<std::mutex> l(m);
      while (!stop.stop_requested()) {
        c.wait(l, stop, [&] { return pending; });
        if (stop.stop_requested() && bug)
          return;
        done += pending;
        pending = 0;
      }
      done += pending;
    });
    std::lock_guard<std::mutex> l(m);
    pending = 1;
    c.notify_one();
  }
  expect(done == 1);
}

// The bug: a thread that does not get the lock goes on without it.
static void tryLock(bool bug) {
  std::mutex m;
  addTwice([&](auto read, auto write) {
    bool taken = m.try_lock();
    while (!taken && !bug) taken = m.try_lock();
    read();
    write();
    if (taken)
      m.unlock();
  });
}

int main(int argc, char **argv) {
  const struct {
    const char *name;
    void (*test)(bool bug);
  } waits[] = {{"mutex", mutex},
               {"timed", timed},
               {"rwlock", rwlock},
               {"condition", condition},
               {"semaphore", semaphore},
               {"counting_semaphore", countingSemaphore},
               {"latch", latch},
               {"future", future},
               {"pipe", pipes},
               {"epoll", epoll},
               {"barrier", barrier},
               {"cxx_barrier", cxxBarrier},
               {"once", once},
               {"join", join},
               {"atomic_wait", atomicWait},
               {"stop_token", stopToken},
               {"try_lock", tryLock}};
  for (const auto &w : waits) {
    if (argc < 4)
      puts(w.name);
    else if (!strcmp(w.name, argv[1])) {
      const bool bug = !strcmp(argv[2], "bug");
      atsan::explore_options options;
      options.strategy = argv[3];
      options.runs = 200;
      return atsan::explore([&] { w.test(bug); }, options);
    }
  }
}
