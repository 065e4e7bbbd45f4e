// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: free counts as a write to the block: in the middle of another
// thread's region it is a violation. The same for delete and for realloc that
// moves; a free after the region is none.
// RUN: %exits 66 %t free 2>&1 | FileCheck %s
// RUN: %silent %t free good
// RUN: %exits 66 %t delete 2>&1 | FileCheck %s
// RUN: %silent %t delete good
// RUN: %exits 66 %t realloc 2>&1 | FileCheck %s
// RUN: %silent %t realloc good
// RUN: %exits 66 %t realloc-to-nothing 2>&1 | FileCheck %s
// RUN: %silent %t realloc-to-nothing good
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK-DAG: region 'user'
// CHECK-DAG: {{free|freed}}
// CHECK: SUMMARY: AtomicitySanitizer: atomicity-violation {{.*}}free_in_region.cpp:

struct Node {
  Node *next;
  long value;
  char rest[4000];
};

static Node *node;

// Reads the node, then the other thread frees it, then writes something else
// that the other thread has used: a use after free would be no test of this.
static int visits;

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  auto is = [=](const char *word) { return called_with(argc, argv, word); };
  bool by_delete = is("delete"), by_realloc = is("realloc");
  bool to_nothing = is("realloc-to-nothing");
  node = by_delete ? new Node() : static_cast<Node *>(calloc(1, sizeof(Node)));
  Node *the_node = node;
  in_parallel(
      [=] {
        atsan::atomic_region region("user");
        STEP(1) USE(the_node->value);
        STEP(good ? 2 : 3) USE(visits);
      },
      [=] {
        STEP(good ? 3 : 2) {
          void *rest = nullptr;
          if (by_delete)
            delete the_node;
          else if (to_nothing)
            rest = realloc(the_node, 0);
          else if (by_realloc)
            rest = realloc(the_node, 1 << 20);
          else
            free(the_node);
          visits = 1;
          free(rest);
        }
      });
}
