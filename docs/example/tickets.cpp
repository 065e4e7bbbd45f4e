//===- tickets.cpp - An atomicity bug without a data race -----------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A box office has one ticket left, and two customers want it. Every access to
// the number of tickets is made under a mutex, so there is no data race; the
// ticket is sold twice all the same. tickets_fixed.cpp is the correct twin.
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
    if (!isTicketLeft())
      return false;
    Pay();
    takeTicket();
    return true;
  }

private:
  bool isTicketLeft() {
    std::lock_guard<std::mutex> Lock(Mutex);
    return Tickets > 0;
  }
  void takeTicket() {
    std::lock_guard<std::mutex> Lock(Mutex);
    Tickets = Tickets - 1;
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
