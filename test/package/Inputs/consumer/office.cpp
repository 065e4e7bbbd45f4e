//===- office.cpp - Sells tickets -----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "office.h"

#include <mutex>
#include <sanitizer/atsan.hpp>

static std::mutex Mutex;
static int Tickets = 1;

bool sellTicket(void (*Pay)()) {
  atsan::atomic_region Sale("ticket sale");
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (Tickets == 0)
      return false;
  }
  Pay();
  std::lock_guard<std::mutex> Lock(Mutex);
  Tickets = Tickets - 1;
  return true;
}
