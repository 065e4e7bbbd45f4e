// RUN: %clangxx_atsan -std=c++20 -O0 -I%inputs %s -o %t.O0
// RUN: %clangxx_atsan -std=c++20 -O2 -I%inputs %s -o %t.O2
// Intent: synchronization and reference counts in the headers of the C++
// library are not data, at any optimization level. What they order or own is,
// and so are the program's own atomics.
//
// RUN: for level in O0 O2; do \
// RUN:   for i in counts weak owners atomic_pointer latch semaphore barrier future \
// RUN:     async stop stop_callback stop_request add_float add_double; do \
// RUN:     %silent %t.$level $i || { echo $i; exit 1; }; done; \
// RUN:   for i in counts owners atomic_pointer latch semaphore barrier future atomic \
// RUN:     atomic_ref atomic_wait stop_request add_double; do \
// RUN:     %exits 66 %t.$level $i bad >%t.$level.$i 2>&1 || exit 1; done; done
//
// What a barrier calls, and the release of the last owner, stays instrumented.
// RUN: for level in O0 O2; do \
// RUN:   for i in counts barrier owners; do cat %t.$level.$i || exit 1; done; done \
// RUN:   | FileCheck %s
// CHECK: read of 4 bytes{{.*}}
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}} in meet(
// CHECK: write of 4 bytes
// CHECK-NEXT: #0 Completion::operator()()
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}} in meet(
// CHECK: write of 4 bytes
// CHECK-NEXT: #0 Object::~Object()
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}} in meet(
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}} in meet(
// CHECK: write of 4 bytes
// CHECK-NEXT: #0 Completion::operator()()
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}} in meet(
// CHECK: write of 4 bytes
// CHECK-NEXT: #0 Object::~Object()
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>
#include <barrier>
#include <functional>
#include <future>
#include <latch>
#include <map>
#include <memory>
#include <semaphore>
#include <stop_token>
#include <string>

static bool bad;
static int data;

using Work = std::function<void()>;

// A region, and what another thread does in the middle of it. In a bad run, the
// region reads data before and after, and the other thread writes it. In a
// correct one, only afterwards.
static void meet(Work before, Work meanwhile, Work after, int *target = &data,
                 bool writes = true) {
  in_parallel(
      [=] {
        atsan::atomic_region region("region");
        STEP(1) {
          before();
          if (bad)
            USE(*target);
        }
        STEP(3) {
          after();
          USE(*target);
        }
      },
      [=] {
        STEP(2) {
          if (writes)
            *target = 1;
          meanwhile();
        }
      });
}

struct Object {
  explicit Object(int *written) : written(written) {}
  ~Object() { *written = 2; }
  int value = 0;
  int *written;
};

static int ignored;
static auto pointer = std::make_shared<Object>(&ignored);

static void counts() {
  auto copy = [] { USE(std::shared_ptr<Object>(pointer).use_count()); };
  meet(copy, copy, copy, &pointer->value);
}

static void weak() {
  std::weak_ptr<Object> observer = pointer;
  auto lock = [&] {
    std::weak_ptr<Object> copy = observer;
    USE(copy.lock().get());
  };
  meet(lock, lock, lock);
}

static void owners() {
  auto last = std::make_shared<Object>(&data);
  meet([] {}, [&] { last.reset(); }, [] {}, &data, false);
}

static void atomic_pointer() {
  std::atomic<std::shared_ptr<Object>> shared(pointer);
  auto load = [&] { USE(shared.load().get()); };
  auto store = [&] { shared.store(std::make_shared<Object>(&ignored)); };
  auto other = bad ? Work(store) : Work(load);
  bad = false;
  meet(load, other, load);
}

static void latch() {
  std::latch latch(1);
  meet([&] { USE(latch.try_wait()); }, [&] { latch.count_down(); },
       [&] { latch.wait(); });
}

static void semaphore() {
  std::counting_semaphore<> free(1);
  meet(
      [&] {
        free.acquire();
        free.release();
        free.acquire();
      },
      [&] { free.release(); },
      [&] {
        while (!free.try_acquire()) {
        }
        USE(free.try_acquire());
      });
}

struct Completion {
  void operator()() noexcept { data = 3; }
};

static void barrier() {
  std::barrier<Completion> barrier(2);
  std::barrier<> second(2);
  std::unique_ptr<std::barrier<Completion>::arrival_token> token;
  meet(
      [&] {
        token = std::make_unique<std::barrier<Completion>::arrival_token>(
            barrier.arrive());
        USE(second.arrive(2));
      },
      [&] {
        barrier.arrive_and_wait();
        USE(second.arrive(2));
      },
      [&] {
        barrier.wait(std::move(*token));
        USE(second.arrive(2));
      },
      &data, false);
}

static void future() {
  std::promise<int> promise;
  auto future = promise.get_future().share();
  meet([&] { USE(future.wait_for(std::chrono::seconds(0))); },
       [&] { promise.set_value(1); }, [&] { USE(future.get()); });
}

static void async() {
  auto work = [] {
    atsan::atomic_region region("async");
    auto first = std::async(std::launch::async, [] { return 1; });
    auto second = std::async(std::launch::deferred, [] { return 1; });
    USE(first.get() + second.get());
  };
  in_parallel(work, work, work);
}

static void stop() {
  std::stop_source source;
  std::stop_token token = source.get_token();
  auto copy = [&] { USE(std::stop_token(token).stop_possible()); };
  meet(copy, copy, copy);
}

// That callbacks come and go is nothing that a poll sees.
static void stop_callback() {
  std::stop_source source;
  auto poll = [&] { USE(source.get_token().stop_requested()); };
  auto call = [&] { std::stop_callback called(source.get_token(), [] {}); };
  meet(poll, call, poll);
}

// A request is one write; in a bad run, it comes between two polls.
static void stop_request() {
  std::stop_source source;
  std::stop_callback second(source.get_token(), [] {});
  auto poll = [&] { USE(source.stop_requested()); };
  if (bad) {
    bad = false;
    return meet(poll, [&] { source.request_stop(); }, poll);
  }
  // The other thread polls while callbacks run, when the request was made.
  std::stop_callback first(source.get_token(), [] {
    step_end(1);
    step_begin(3);
  });
  in_parallel(
      [&] {
        atsan::atomic_region region("region");
        source.request_stop();
      },
      [&] {
        STEP(2) poll();
      });
}

// To add to a floating-point number is one operation, although the header tries
// in a loop; in a bad run, the region does so twice.
template <class Number> static void add() {
  static std::atomic<Number> sum{0};
  auto once = [] { sum.fetch_add(1); };
  if (bad) {
    bad = false;
    return meet(once, once, once);
  }
  auto work = [=] {
    for (int i = 0; i < 100000; i++) {
      atsan::atomic_region region("add");
      once();
    }
  };
  in_parallel(work, work);
  CHECK(sum == 200000);
}

// The program's own atomics.

static void atomic() {
  std::atomic<int> value{0};
  auto load = [&] { USE(value.load()); };
  bad = false;
  meet(load, [&] { value++; }, load);
}

static void atomic_ref() {
  int value = 0;
  auto load = [&] { USE(std::atomic_ref<int>(value).load()); };
  bad = false;
  meet(load, [&] { std::atomic_ref<int>{value} = 1; }, load);
}

static void atomic_wait() {
  std::atomic<int> value{0};
  bad = false;
  meet([&] { value.wait(1); }, [&] { value = 1; }, [&] { value.wait(0); });
}

int main(int argc, char **argv) {
  const std::map<std::string, void (*)()> cases = {
      {"counts", counts},
      {"weak", weak},
      {"owners", owners},
      {"atomic_pointer", atomic_pointer},
      {"latch", latch},
      {"semaphore", semaphore},
      {"barrier", barrier},
      {"future", future},
      {"async", async},
      {"stop", stop},
      {"stop_callback", stop_callback},
      {"add_float", add<float>},
      {"add_double", add<double>},
      {"stop_request", stop_request},
      {"atomic", atomic},
      {"atomic_ref", atomic_ref},
      {"atomic_wait", atomic_wait}};
  bad = called_with(argc, argv, "bad");
  auto found = argc > 1 ? cases.find(argv[1]) : cases.end();
  if (found == cases.end())
    return 1;
  found->second();
}
