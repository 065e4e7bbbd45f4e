// RUN: %clangxx_atsan -O2 -I%inputs %s -o %t
// Intent: two-phase locking is serializable, so the checker says nothing,
// however long the threads go on: transfers between accounts under locks in one
// order. Giving a lock back too early is found.
// RUN: %silent %t
// RUN: env ATSAN_OPTIONS=lock_edges=1 %silent %t
// RUN: %exits 66 %t early 2>&1 | FileCheck %s
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

constexpr int kAccounts = 16;
constexpr int kThreads = 4;
constexpr int kTransfers = 20000;

struct Account {
  std::mutex lock;
  long balance = 1000;
};

Account accounts[kAccounts];

static void transfer(Account &from, Account &to, long amount) {
  atsan::atomic_region region("transfer");
  Account *first = std::min(&from, &to), *second = std::max(&from, &to);
  std::lock_guard<std::mutex> one(first->lock);
  std::lock_guard<std::mutex> two(second->lock);
  if (from.balance < amount)
    return;
  from.balance -= amount;
  to.balance += amount;
}

static void work(unsigned seed) {
  for (int i = 0; i < kTransfers; i++) {
    seed = seed * 1103515245 + 12345;
    unsigned from = seed >> 16;
    unsigned to = from / kAccounts + 1;
    if (from % kAccounts != to % kAccounts)
      transfer(accounts[from % kAccounts], accounts[to % kAccounts], seed % 50);
  }
}

// Locks each account while it is accessed, and no longer.
static void careless(int check, int act) {
  atsan::atomic_region region("careless");
  long balance;
  STEP(check) {
    std::lock_guard<std::mutex> guard(accounts[0].lock);
    balance = accounts[0].balance;
  }
  STEP(act) {
    std::lock_guard<std::mutex> guard(accounts[0].lock);
    // CHECK: region 'careless'
    // CHECK: SUMMARY: {{.*}}two_phase_locking.cpp:[[#@LINE+1]]:{{[0-9]+}} in careless
    accounts[0].balance = balance - 10;
  }
}

int main(int argc, char **argv) {
  if (called_with(argc, argv, "early")) {
    in_parallel([] { careless(1, 3); }, [] { careless(2, 4); });
    return 0;
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++) threads.emplace_back(work, i + 1);
  for (std::thread &thread : threads) thread.join();
  long sum = 0;
  for (Account &account : accounts) sum += account.balance;
  return sum == kAccounts * 1000 ? 0 : 1;
}
