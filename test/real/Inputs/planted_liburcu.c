//===- planted_liburcu.c -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Userspace RCU: a list that is read in read-side critical sections, and grows
// under a mutex: each is one step; two are not.
//
//===----------------------------------------------------------------------===//

#include "planted.h"

#include <urcu.h>
#include <urcu/rculist.h>

static CDS_LIST_HEAD(List);
static struct cds_list_head First, Second;
static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;

void look(void) {
  rcu_register_thread();
  rcu_read_lock();
  (void)cds_list_empty(&List);
  rcu_read_unlock();
}
void act(void) {
  pthread_mutex_lock(&Mutex);
  cds_list_add_rcu(cds_list_empty(&List) ? &First : &Second, &List);
  pthread_mutex_unlock(&Mutex);
  rcu_unregister_thread();
}

int main(int Argc, char **Argv) {
  runPlanted(Argc, Argv);
  return 0;
}
