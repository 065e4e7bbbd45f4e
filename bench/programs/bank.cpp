//===-- bank.cpp ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transfers between accounts with two-phase locking: both accounts are locked,
// in the order of their numbers, then changed. An auditor locks a few accounts
// and adds them up. Regions: each transfer and each audit.
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <algorithm>
#include <mutex>

namespace {

struct Account {
  std::mutex Mutex;
  int64_t Balance = 1000;
  uint64_t Transfers = 0;
};

void transfer(Account &From, Account &To, int64_t Amount) {
  Account *First = std::min(&From, &To), *Second = std::max(&From, &To);
  First->Mutex.lock();
  Second->Mutex.lock();
  {
    OperationRegion Region;
    if (From.Balance >= Amount) {
      From.Balance -= Amount;
      To.Balance += Amount;
    }
    ++From.Transfers;
    ++To.Transfers;
  }
  Second->Mutex.unlock();
  First->Mutex.unlock();
}

int64_t audit(std::vector<Account> &Accounts, size_t First, size_t Last) {
  for (size_t I = First; I < Last; ++I)
    Accounts[I].Mutex.lock();
  int64_t Sum = 0;
  {
    OperationRegion Region;
    for (size_t I = First; I < Last; ++I)
      Sum += Accounts[I].Balance;
  }
  for (size_t I = First; I < Last; ++I)
    Accounts[I].Mutex.unlock();
  return Sum;
}

} // namespace

int main(int Argc, char **Argv) {
  unsigned Threads = argument(Argc, Argv, 1, "threads");
  size_t Count = argument(Argc, Argv, 2, "accounts") + 1;
  uint64_t Operations = argument(Argc, Argv, 3, "operations per thread");

  std::vector<Account> Accounts(Count);
  runThreads(Threads, [&](unsigned I) {
    Random Rng(I + 1);
    for (uint64_t Op = 0; Op < Operations; ++Op) {
      size_t From = Rng.below(Count), To = Rng.below(Count - 1);
      To += To >= From;
      if (Op % 16 == 0)
        audit(Accounts, From, std::min(From + 8, Count));
      else
        transfer(Accounts[From], Accounts[To], Rng.below(50));
    }
  });
  uint64_t Transfers = 0;
  for (Account &A : Accounts)
    Transfers += A.Transfers;
  int64_t Balances = 0;
  for (size_t I = 0; I < Count; ++I)
    Balances += audit(Accounts, I, I + 1);
  return finish("balances and transfers", Balances * 1000003 + Transfers);
}
