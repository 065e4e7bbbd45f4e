//===- tickets_fixed.cpp - The correct twin of tickets.cpp ----------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same box office, terminal and customers as in tickets.cpp. The ticket is
// looked for and taken in one critical section, before the payment: nobody else
// can get in between, however long the payment takes.
//
//===----------------------------------------------------------------------===//

#include "card_terminal.h"
#include <cstdio>
#include <mutex>
#include <sanitizer/atsan.hpp>
#include <thread>

class BoxOffice {
public:
  template <typename PaymentT> bool sell(PaymentT Pay) {
    atsan::atomic_region Sale("ticket sale");
    if (!takeTicketIfLeft())
      return false;
    Pay();
    return true;
  }

private:
  bool takeTicketIfLeft() {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (Tickets == 0)
      return false;
    Tickets = Tickets - 1;
    return true;
  }

  std::mutex Mutex;
  int Tickets = 1;
};

int main() {
  BoxOffice Office;
  CardTerminal Terminal;
  bool FirstGotOne = false, SecondGotOne = false;

  std::thread First(
      [&] { FirstGotOne = Office.sell([&] { Terminal.slowPayment(); }); });
  std::thread Second([&] {
    Terminal.waitUntilInUse();
    SecondGotOne = Office.sell([] {});
    Terminal.answer();
  });
  First.join();
  Second.join();

  printf("1 ticket, %d sold\n", FirstGotOne + SecondGotOne);
}
