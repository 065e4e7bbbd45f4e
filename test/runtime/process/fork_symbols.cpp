// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: after a fork, parent and child each ask a symbolizer of their own:
// both report at once, and no frame is the answer to what the other has asked.
// RUN: rm -f %t.log.*
// RUN: env ATSAN_OPTIONS=halt_on_error=0:log_path=%t.log timeout 120 %exits 66 %t
// RUN: cat %t.log.* | grep -c SUMMARY | FileCheck --check-prefix=COUNT %s
// COUNT: {{^}}41{{$}}
// RUN: cat %t.log.* | grep "#0" | not grep -v "#0 \(void victim<\|void other<\|std::thread::thread\)"
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "atsan_test.hpp"

static int number;

template <int> __attribute__((noinline)) static void other() { number++; }
template <int kNumber> __attribute__((noinline)) static void victim() {
  constexpr int kSteps = 3 * kNumber; // That were done before.
  in_parallel(
      [] {
        atsan::atomic_region region("victim");
        STEP(kSteps + 1) number = 1;
        STEP(kSteps + 3) number = 2;
      },
      [] {
        STEP(kSteps + 2) other<kNumber>();
      });
}
template <int... kNumbers>
static void all(std::integer_sequence<int, kNumbers...>) {
  (victim<kNumbers + 1>(), ...);
}

int main() {
  victim<0>();
  const pid_t child = fork();
  all(std::make_integer_sequence<int, 20>());
  if (child)
    waitpid(child, nullptr, 0);
}
