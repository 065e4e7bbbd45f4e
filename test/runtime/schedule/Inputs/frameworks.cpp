// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One test with a bug and its twin, for each framework.

#ifdef WITH_GTEST
#include <gtest/gtest.h>
#define BANK_TEST(name) TEST(Bank, name)
#define EXPECT_SAME(a, b) EXPECT_EQ(a, b)
#else
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include FRAMEWORK
#define BANK_TEST(name) TEST_CASE(#name)
#define EXPECT_SAME(a, b) CHECK((a) == (b))
#endif

#include <mutex>
#include <sanitizer/atsan_explore.hpp>
#include <thread>

namespace {

class Bank {
public:
  void withdraw(int amount) {
    const int before = balance();
    set(before - amount);
  }
  void withdrawAtOnce(int amount) {
    std::lock_guard<std::mutex> guard(lock);
    money -= amount;
  }
  int balance() {
    std::lock_guard<std::mutex> guard(lock);
    return money;
  }

private:
  void set(int value) {
    std::lock_guard<std::mutex> guard(lock);
    money = value;
  }

  std::mutex lock;
  int money = 10;
};

void withdrawTwice(void (Bank::*withdraw)(int)) {
  atsan::explore([=] {
    Bank bank;
    std::thread a([&] { (bank.*withdraw)(3); });
    std::thread b([&] { (bank.*withdraw)(4); });
    a.join();
    b.join();
#ifdef DOCTEST_LIBRARY_INCLUDED
    WARN(bank.balance() == 4); // Fails no test.
#endif
    EXPECT_SAME(bank.balance(), 3);
  });
}

} // namespace

BANK_TEST(TwinWithdrawsTwice) { withdrawTwice(&Bank::withdrawAtOnce); }
BANK_TEST(WithdrawsTwice) { withdrawTwice(&Bank::withdraw); }
