// RUN: for level in -O0 -O2; do \
// RUN:   %clangxx_atsan $level -fatomicity-schedule -DRESTART='__atomic_restart()' %s -o %t || exit 1; \
// RUN:   %atsan explore --runs=200 -- %t | FileCheck %s || exit 1; \
// RUN:   %clangxx_atsan $level -fatomicity-schedule -DRESTART='(void)0' %s -o %t.bad || exit 1; \
// RUN:   %exits 66 %atsan explore --runs=200 -- %t.bad | FileCheck --check-prefix=BAD %s || exit 1; done
// Intent: a retry loop as docs/lock-free.md has it is atomic in every schedule.
// What the compare-exchange writes to 'seen' is a point in scheduled bodies,
// and does not say that the attempt goes on.
// CHECK: {{([2-9]|[1-9][0-9]+) distinct classes}}{{.*}}: nothing found
// BAD: 1 atomicity violation
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <sanitizer/atsan.hpp>
#include <thread>

struct Node {
  Node *next;
};
static std::atomic<Node *> top;

static void push(Node *node) {
  atsan::atomic_region region("push");
  Node *seen = top.load();
  do
    node->next = seen;
  while (!top.compare_exchange_strong(seen, node) && (RESTART, true));
}

int main() {
  static Node nodes[2];
  std::thread a(push, &nodes[0]), b(push, &nodes[1]);
  a.join();
  b.join();
}
