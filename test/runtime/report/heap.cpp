// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: %python %S/Inputs/golden.py %s.expected %t
// RUN: %clangxx_atsan -I %inputs -DTWIN %s -o %t.twin
// RUN: %silent %t.twin
// Intent: a heap block, with an interior address; regions named by their place;
// a thread with a name.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

#include <stdlib.h>

struct Queue {
  long head;
  long length;
};

__attribute__((noinline)) static Queue *make_queue() {
  return static_cast<Queue *>(calloc(1, sizeof(Queue)));
}

static void *push(void *arg) {
  Queue *queue = static_cast<Queue *>(arg);
  pthread_setname_np(pthread_self(), "producer");
  __atomic_begin();
  long length;
  STEP(ORDER(1, 2)) length = queue->length;
  STEP(3) queue->length = length + 1;
  __atomic_end();
  return nullptr;
}

static void *clear(void *arg) {
  Queue *queue = static_cast<Queue *>(arg);
  STEP(ORDER(2, 1)) {
    __atomic_begin();
    queue->length = 0;
    __atomic_end();
  }
  return nullptr;
}

int main() {
  Queue *queue = make_queue();
  pthread_t a, b;
  pthread_create(&a, nullptr, push, queue);
  pthread_create(&b, nullptr, clear, queue);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
  free(queue);
}
