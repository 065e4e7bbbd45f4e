//===-- audit.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accounts have a lock each: while they are counted, money goes from one that
// was counted to one that was not.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

constexpr int kAccounts = 3;

struct Bank {
  std::mutex Locks[kAccounts];
  int Balances[kAccounts] = {10, 10, 10};

  void transfer(int From, int To, int Amount) {
    Region R("transfer");
    std::lock_guard<std::mutex> Low(Locks[std::min(From, To)]);
    std::lock_guard<std::mutex> High(Locks[std::max(From, To)]);
    Balances[From] -= Amount;
    Balances[To] += Amount;
  }
  int audit() {
    Region R("audit");
    int Sum = 0;
#ifdef FIXED
    for (std::mutex &Lock : Locks)
      Lock.lock();
    for (int Balance : Balances)
      Sum += Balance;
    for (std::mutex &Lock : Locks)
      Lock.unlock();
#else
    for (int I = 0; I != kAccounts; ++I) {
      std::lock_guard<std::mutex> Guard(Locks[I]);
      Sum += Balances[I];
    }
#endif
    return Sum;
  }
};

} // namespace

void test() {
  Bank B;
  inParallel([&] { B.transfer(0, 2, 1); }, [&] { B.transfer(1, 0, 2); },
             [&] { assert(B.audit() == 30); });
}
