//===-- CurrentThread.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Thread for the test's own thread, as the thread registry would make it.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_UNIT_CURRENTTHREAD_H
#define ATSAN_UNIT_CURRENTTHREAD_H

#include "runtime/location/atsan_location.h"

namespace atsan_test {

// While it exists, cur_thread is a Thread with the bounds of this stack.
class CurrentThread {
public:
  CurrentThread();
  ~CurrentThread();
  CurrentThread(const CurrentThread &) = delete;
  CurrentThread &operator=(const CurrentThread &) = delete;

  __atsan::Thread *get() { return &Thread; }

private:
  __atsan::Thread Thread = {};
};

} // namespace atsan_test

#endif // ATSAN_UNIT_CURRENTTHREAD_H
