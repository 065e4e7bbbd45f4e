//===-- bank_account.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two deposits into one account: each reads the balance and writes the new one
// in two critical sections, so that one of them can be lost.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Account {
public:
  void deposit(int Amount) {
    Region R("deposit");
#ifdef FIXED
    std::lock_guard<std::mutex> Guard(Lock);
    Balance += Amount;
#else
    write(read() + Amount);
#endif
  }
  int read() {
    std::lock_guard<std::mutex> Guard(Lock);
    return Balance;
  }

private:
  void write(int NewBalance) {
    std::lock_guard<std::mutex> Guard(Lock);
    Balance = NewBalance;
  }

  std::mutex Lock;
  int Balance = 0;
};

} // namespace

void test() {
  Account A;
  inParallel([&] { A.deposit(1); }, [&] { A.deposit(2); });
  assert(A.read() == 3);
}
