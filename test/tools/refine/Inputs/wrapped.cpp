// A lock of the program's own: the regions of all critical sections begin in
// its function, which has returned when they go on.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <cstdlib>
#include <mutex>
#include <pthread.h>

class Mutex {
public:
  __attribute__((noinline)) void lock() {
    if (pthread_mutex_lock(&Lock))
      std::abort();
  }
  void unlock() { pthread_mutex_unlock(&Lock); }

private:
  pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
};

static Mutex A, B;
int x;

static bool IsFirst = false;

__attribute__((noinline)) static void noisy() {
  std::lock_guard<Mutex> Guard(A);
  if (IsFirst)
    return;
  STEP(1) USE(x);
  STEP(3) USE(x);
}

__attribute__((noinline)) static void other() {
  std::lock_guard<Mutex> Guard(B);
  STEP(1) USE(x);
  STEP(3) USE(x);
}

/// Its lock is taken in a header of the C++ library.
__attribute__((noinline)) static void plain() {
  static std::mutex Lock;
  std::lock_guard<std::mutex> Guard(Lock);
  STEP(1) USE(x);
  STEP(3) USE(x);
}

/// The innermost call takes the lock for the one around it, which has the same
/// name.
__attribute__((noinline)) static void walk(int Calls) {
  if (!Calls)
    return A.lock();
  walk(Calls - 1);
  if (Calls > 1)
    return;
  STEP(1) USE(x);
  STEP(3) USE(x);
  A.unlock();
}

static void *write(void *) {
  STEP(2) x = 1;
  return nullptr;
}

/// Deeper than what stacks show of a recursion.
__attribute__((noinline)) static void deep(int Calls) {
  if (Calls)
    deep(Calls - 1);
  else
    noisy();
  asm volatile("" ::: "memory"); // Else a loop is made of it.
}

__attribute__((noinline)) static void first() {
  deep(12);
  asm volatile("" ::: "memory");
}

__attribute__((noinline)) static void second() {
  deep(12);
  asm volatile("" ::: "memory");
}

int main(int, char **Arguments) {
  pthread_t Writer;
  pthread_create(&Writer, nullptr, write, nullptr);
  if (!strcmp(Arguments[1], "noisy"))
    noisy();
  else if (!strcmp(Arguments[1], "deep"))
    deep(40);
  else if (!strcmp(Arguments[1], "walk"))
    walk(2);
  else if (!strcmp(Arguments[1], "two")) {
    IsFirst = true;
    first();
    IsFirst = false;
    second();
  } else if (!strcmp(Arguments[1], "plain"))
    plain();
  else
    other();
  pthread_join(Writer, nullptr);
}
