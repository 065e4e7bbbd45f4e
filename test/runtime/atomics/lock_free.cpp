// RUN: %clangxx_atsan -O1 -g -I%inputs %s -o %t
// RUN: for o in 0 1 2; do %clangxx_atsan -O$o -g -I%inputs -DGOOD %s -o %t.good && for how in act push spin queue snapshot; do %silent %t.good $how || exit 1; done || exit 1; done
// Intent: what docs/lock-free.md says. Code without locks that is marked as it
// stands is reported, and marked as the page says, it is not. Where accesses on
// the cycle are atomic, the report leads to the page; one lock is not the
// advice if all of them are.
// RUN: for how in act push spin queue; do %exits 66 %t $how 2>&1 | FileCheck --check-prefix=ATOMIC %s || exit 1; done
// ATOMIC: ERROR: AtomicitySanitizer: atomicity violation
// ATOMIC-NOT: To fix it
// ATOMIC: All of these accesses are atomic. If a lock is made of them
// ATOMIC: (docs/lock-free.md)
// ATOMIC-NOT: To fix it
// RUN: %exits 66 %t snapshot 2>&1 | FileCheck --check-prefix=MIXED %s
// MIXED: To fix it
// MIXED: If the code does without locks on purpose, see docs/lock-free.md.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <atomic>

// --- It writes what it computed from an old value: a bug. --------------------

std::atomic<int> left{2};

static void take() {
  atsan::atomic_region region("take");
  int seen;
  STEP(1) seen = left.load();
  STEP(3) {
#ifdef GOOD
    while (seen > 0 && !left.compare_exchange_strong(seen, seen - 1))
      __atomic_restart();
#else
    if (seen > 0)
      left.store(seen - 1);
#endif
  }
}

// --- A stack: all attempts are one region, unless one says otherwise. --------

struct Node {
  Node *next;
};
std::atomic<Node *> top;

static void push(Node *node) {
  atsan::atomic_region region("push");
  Node *seen;
  STEP(1) seen = top.load();
  STEP(3) {
    do {
      node->next = seen;
#ifdef GOOD
    } while (!top.compare_exchange_strong(seen, node) &&
             (__atomic_restart(), true));
#else
    } while (!top.compare_exchange_strong(seen, node));
#endif
  }
}

// --- A lock that nobody knows to be one. -------------------------------------

#ifndef GOOD
#define __atsan_mutex_pre_lock(lock, flags)
#define __atsan_mutex_post_lock(lock, flags, recursion)
#define __atsan_mutex_pre_unlock(lock, flags)
#define __atsan_mutex_post_unlock(lock, flags)
#endif

std::atomic_flag busy;
int counter;

static void lock(void (*wait)()) {
  __atsan_mutex_pre_lock(&busy, 0);
  while (busy.test_and_set()) wait();
  __atsan_mutex_post_lock(&busy, 0, 0);
}

static void unlock() {
  __atsan_mutex_pre_unlock(&busy, 0);
  busy.clear();
  __atsan_mutex_post_unlock(&busy, 0);
}

// --- A queue of one producer and one consumer. -------------------------------

#ifdef GOOD
#define QUEUE_OPERATION ATSAN_NO_SANITIZE
#else
#define QUEUE_OPERATION ATSAN_ATOMIC
#endif

int slots[4];
std::atomic<unsigned> head, tail{1}; // There is one element.

QUEUE_OPERATION static bool put(int value) {
  unsigned end;
  bool is_full;
  STEP(1) {
    end = tail.load();
    is_full = end - head.load() == 4;
  }
  STEP(3) {
    if (!is_full) {
      slots[end % 4] = value;
      tail.store(end + 1);
    }
  }
  return !is_full;
}

QUEUE_OPERATION static bool get(int *value) {
  unsigned begin = head.load();
  if (begin == tail.load())
    return false;
  *value = slots[begin % 4];
  head.store(begin + 1);
  return true;
}

// --- A reader that looks afterwards whether it was disturbed. ----------------

std::atomic<unsigned> version;
int low, high;

static void write_both(int value) {
  version++;
  low = high = value;
  version++;
}

#ifdef GOOD
ATSAN_NO_SANITIZE
#endif
static bool try_to_read(int *sum) {
  unsigned before = version.load();
  STEP(1) *sum = low;
  STEP(3) *sum += high;
  return before % 2 == 0 && version.load() == before;
}

int main(int, char **argv) {
  const char *how = argv[1];
  const auto is = [=](const char *word) { return !strcmp(how, word); };
  if (is("act")) {
    in_parallel(take, [] {
      STEP(2) left--;
    });
    CHECK(left == 0);
  } else if (is("push")) {
    static Node nodes[2];
    in_parallel([] { push(&nodes[0]); },
                [] {
                  STEP(2) top.exchange(&nodes[1]);
                });
    CHECK(nodes[0].next == &nodes[1]);
  } else if (is("spin")) {
    in_parallel(
        [] {
          atsan::atomic_region region("count");
          STEP(1) lock([] {});
          STEP(3) {
            counter++;
            unlock();
          }
        },
        [] {
          step_begin(2);
          lock([] {
            if (steps_done() == 1)
              step_end(2);
          });
          unlock();
        });
  } else if (is("queue")) {
    static int value;
    in_parallel([] { put(7); },
                [] {
                  STEP(2) {
                    atsan::atomic_region region("deliver");
                    get(&value);
                  }
                });
  } else if (is("snapshot")) {
    static int sum;
    in_parallel(
        [] {
          atsan::atomic_region region("snapshot");
          if (try_to_read(&sum))
            abort();
        },
        [] {
          STEP(2) write_both(3);
        });
  }
}
