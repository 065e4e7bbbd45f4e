// RUN: %clangxx_atsan -shared-libsan -O1 -I%inputs %s -o %t
// Intent: where the caller of instrumented code, one without frame pointers,
// keeps something else in that register (an address, a number), it is not
// followed: outside regions, too, and not beyond the thread's stack, above
// which the shared runtime is.
// RUN: %exits 66 %t bad 2>&1 | FileCheck %s
// RUN: %silent %t good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <initializer_list>
#include <stdint.h>
#include <sys/mman.h>

static int x, y;

// Calls `function` with the frame pointer's register set to `garbage`.
extern "C" void call_with(void *garbage, void (*function)());
asm("call_with:\n"
    "  pushq %rbp\n"
    "  movq %rdi, %rbp\n"
    "  callq *%rsi\n"
    "  popq %rbp\n"
    "  retq\n");

// CHECK: region 'victim'
// CHECK: write(){{.*}}garbage_frame.cpp
static void write() {
  x = 1;
  asm volatile("");
}

int main(int argc, char **argv) {
  int *last = called_with(argc, argv, "bad") ? &x : &y;
  // Below the libraries, above the stacks of threads that are to come.
  constexpr size_t kSize = 64 << 20;
  char *no_memory = static_cast<char *>(
      mmap(nullptr, kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  in_parallel(
      [=] {
        atsan::atomic_region region("victim");
        STEP(1) USE(x);
        STEP(3) USE(*last);
      },
      [=] {
        STEP(2) {
          call_with(no_memory + kSize / 2, write);
          for (intptr_t number : {0L, 1L, 4095L, 4096L, -1L})
            call_with(reinterpret_cast<void *>(number), write);
        }
      });
}
