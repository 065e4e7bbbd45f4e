//===-- transfer_deadlock.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two transfers in opposite directions, each of which locks its source first.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

struct Account {
  std::mutex Lock;
  int Balance = 10;
};

void transfer(Account &From, Account &To, int Amount) {
  Region R("transfer");
#ifdef FIXED
  std::mutex &First = &From < &To ? From.Lock : To.Lock;
  std::mutex &Second = &From < &To ? To.Lock : From.Lock;
#else
  std::mutex &First = From.Lock, &Second = To.Lock;
#endif
  std::lock_guard<std::mutex> Outer(First);
  std::lock_guard<std::mutex> Inner(Second);
  From.Balance -= Amount;
  To.Balance += Amount;
}

} // namespace

void test() {
  Account Accounts[2];
  inParallel([&] { transfer(Accounts[0], Accounts[1], 1); },
             [&] { transfer(Accounts[1], Accounts[0], 2); });
  assert(Accounts[0].Balance + Accounts[1].Balance == 20);
}
