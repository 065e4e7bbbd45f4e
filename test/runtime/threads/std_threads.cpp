// RUN: %clangxx_atsan -std=c++20 -O1 -I%inputs %s -o %t
// Intent: std::thread, std::jthread and std::async make threads like any other,
// and what they do behind the scenes is no violation.
//
// RUN: for i in thread jthread async; do \
// RUN:   %exits 66 %t $i 2>&1 | FileCheck %s || exit 1; \
// RUN:   %silent %t $i good || exit 1; done
// RUN: %silent %t stop
// RUN: %silent %t future
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>
#include <future>
#include <mutex>

int x;
std::mutex lock;

static void read_twice(int first, int second) {
  atsan::atomic_region region("reader");
  STEP(first) USE(x);
  // CHECK: region 'reader'
  // CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}std_threads.cpp:[[#@LINE+1]]:{{[0-9]+}} in read_twice
  STEP(second) USE(x);
}

static int write_once(int step) {
  STEP(step) x = 1;
  return step;
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  int last_read = good ? 2 : 3, write = good ? 3 : 2;
  if (is("thread")) {
    std::thread reader(read_twice, 1, last_read);
    std::thread writer(write_once, write);
    reader.join();
    writer.join();
  }
  if (is("jthread")) {
    std::jthread reader(read_twice, 1, last_read);
    std::jthread writer(write_once, write);
  }
  if (is("async")) {
    auto reader = std::async(std::launch::async, read_twice, 1, last_read);
    auto writer = std::async(std::launch::async, write_once, write);
    reader.get();
    return writer.get() == write ? 0 : 1;
  }
  if (is("stop")) {
    std::jthread loop([](std::stop_token token) {
      while (!token.stop_requested()) {
        atsan::atomic_region region("round");
        std::lock_guard<std::mutex> guard(lock);
        x++;
      }
    });
    for (int i = 0; i < 100; i++) {
      atsan::atomic_region region("main");
      std::lock_guard<std::mutex> guard(lock);
      x++;
    }
  }
  // The result goes from thread to thread in the middle of a region.
  if (is("future")) {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread producer([&] {
      step_begin(2);
      atsan::atomic_region region("produce");
      promise.set_value(5);
    });
    std::thread consumer([&] {
      step_end(1);
      int value = future.get();
      atsan::atomic_region region("consume");
      x = value;
    });
    producer.join();
    consumer.join();
    return x - 5;
  }
}
