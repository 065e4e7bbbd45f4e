// RUN: %clangxx_atsan -std=c++20 -O1 -fatomicity-schedule %s -o %t
// Intent: every way to wait is modelled: whatever the strategy chooses, correct
// programs end, and nothing is reported.
// RUN: %silent %t surw
// RUN: %silent %t pct
// RUN: %silent %t pos
// RUN: %silent %t random
// RUN: %silent %t systematic
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <latch>
#include <mutex>
#include <pthread.h>
#include <sanitizer/atsan.hpp>
#include <sanitizer/atsan_explore.hpp>
#include <semaphore.h>
#include <semaphore>
#include <shared_mutex>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static void twoThreads(std::function<void()> a, std::function<void()> b) {
  std::thread x(a), y(b);
  x.join();
  y.join();
}

static void condition() {
  std::mutex m;
  std::condition_variable c;
  bool ready = false;
  int seen = 0;
  twoThreads(
      [&] {
        std::unique_lock<std::mutex> l(m);
        c.wait(l, [&] { return ready; });
        seen = 1;
      },
      [&] {
        {
          std::lock_guard<std::mutex> l(m);
          ready = true;
        }
        c.notify_one();
      });
  assert(seen);
}

static void conditionOfMany() {
  std::mutex m;
  std::condition_variable c;
  int turn = 0;
  auto wait = [&](int mine) {
    std::unique_lock<std::mutex> l(m);
    c.wait(l, [&] { return turn == mine; });
    turn++;
    c.notify_all();
  };
  twoThreads([&] { wait(1); }, [&] { wait(0); });
  assert(turn == 2);
}

// The signal and the broadcast wake the same thread: the signal is no longer
// there when it waits again, and keeps none from waking it.
static void conditionAfterBroadcast() {
  std::mutex m;
  std::condition_variable c, came;
  int turn = 0;
  twoThreads(
      [&] {
        std::unique_lock<std::mutex> l(m);
        for (int next : {2, 4}) {
          turn++;
          came.notify_one();
          c.wait(l, [&] { return turn == next; });
        }
      },
      [&] {
        std::unique_lock<std::mutex> l(m);
        for (int next : {1, 3}) {
          came.wait(l, [&] { return turn == next; });
          turn++;
          c.notify_one();
          if (next == 1)
            c.notify_all();
        }
      });
  assert(turn == 4);
}

static void timedCondition() {
  std::mutex m;
  std::condition_variable c;
  // Nobody signals: only virtual time passes.
  auto wait = [&] {
    std::unique_lock<std::mutex> l(m);
    assert(!c.wait_for(l, 10s, [] { return false; }));
    assert(c.wait_until(l, std::chrono::system_clock::now() + 10s) ==
           std::cv_status::timeout);
  };
  twoThreads(wait, wait);
}

static void timedLock() {
  std::timed_mutex m;
  m.lock();
  std::thread t([&] { assert(!m.try_lock_for(10s)); });
  t.join();
  m.unlock();
}

static void recursiveLock() {
  std::recursive_mutex m;
  int n = 0;
  auto twice = [&] {
    std::lock_guard<std::recursive_mutex> a(m);
    std::lock_guard<std::recursive_mutex> b(m);
    n++;
  };
  twoThreads(twice, twice);
  assert(n == 2);
}

static void sharedLock() {
  std::shared_mutex m;
  int n = 0;
  twoThreads(
      [&] {
        std::shared_lock<std::shared_mutex> l(m);
        assert(n == 0 || n == 1);
      },
      [&] {
        std::unique_lock<std::shared_mutex> l(m);
        n = 1;
      });
}

static void semaphores() {
  sem_t s;
  sem_init(&s, 0, 0);
  std::counting_semaphore<> full(0);
  twoThreads(
      [&] {
        sem_wait(&s);
        full.acquire();
      },
      [&] {
        full.release();
        sem_post(&s);
      });
  sem_destroy(&s);
}

static void barriers() {
  pthread_barrier_t b;
  pthread_barrier_init(&b, nullptr, 2);
  std::barrier<> c(2);
  std::latch d(2);
  int serial = 0;
  auto meet = [&] {
    for (int i = 0; i < 2; i++)
      if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
        serial++;
    c.arrive_and_wait();
    d.arrive_and_wait();
  };
  twoThreads(meet, meet);
  assert(serial == 2);
  pthread_barrier_destroy(&b);
}

static void once() {
  std::once_flag flag;
  int n = 0;
  auto call = [&] {
    std::call_once(flag, [&] { n++; });
    assert(n == 1);
  };
  twoThreads(call, call);
}

static void futures() {
  std::promise<int> p;
  std::thread t([&] { p.set_value(7); });
  assert(p.get_future().get() == 7);
  t.join();
  assert(std::async(std::launch::async, [] { return 8; }).get() == 8);
}

static void atomicWait() {
  std::atomic<int> word{0};
  twoThreads([&] { word.wait(0); },
             [&] {
               word = 1;
               word.notify_one();
             });
}

static void spin() {
  std::atomic<int> flag{0};
  twoThreads([&] { while (!flag); }, [&] { flag = 1; });
  std::atomic_flag lock = ATOMIC_FLAG_INIT;
  int n = 0;
  auto locked = [&] {
    while (lock.test_and_set()) std::this_thread::yield();
    n++;
    lock.clear();
  };
  twoThreads(locked, locked);
  assert(n == 2);
}

static void sleeps() {
  auto begin = std::chrono::steady_clock::now();
  int order = 0;
  twoThreads(
      [&] {
        std::this_thread::sleep_for(20s);
        assert(order == 1);
      },
      [&] {
        std::this_thread::sleep_for(10s);
        order = 1;
      });
  assert(std::chrono::steady_clock::now() - begin >= 20s);
}

static void tryLock() {
  std::mutex m;
  int n = 0;
  auto polite = [&] {
    while (!m.try_lock()) std::this_thread::sleep_for(1ms);
    n++;
    m.unlock();
  };
  twoThreads(polite, polite);
  assert(n == 2);
}

static void detached() {
  static std::atomic<int> n;
  std::thread([&] { n++; }).detach();
  std::jthread other([&] { n++; });
}

static void nested() {
  int n = 0;
  std::thread outer([&] {
    std::thread inner([&] { n = 1; });
    inner.join();
    assert(n == 1);
  });
  outer.join();
}

int main(int argc, char **argv) {
  void (*const tests[])() = {
      condition,      conditionOfMany, conditionAfterBroadcast,
      timedCondition, timedLock,       recursiveLock,
      sharedLock,     semaphores,      barriers,
      once,           futures,         atomicWait,
      spin,           sleeps,          tryLock,
      detached,       nested};
  atsan::explore_options options;
  options.strategy = argc > 1 ? argv[1] : nullptr;
  options.runs = 50;
  for (void (*test)() : tests)
    if (atsan::explore(test, options))
      return 1;
}
