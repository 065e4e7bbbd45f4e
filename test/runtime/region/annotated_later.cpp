// RUN: for level in -O0 -O2; do \
// RUN:   %clangxx_atsan $level -I%inputs %s -o %t || exit 1; \
// RUN:   for out in function member template_member template_function friend \
// RUN:       declared block specialized alias; do \
// RUN:     %silent %t $out || exit 1; \
// RUN:     %exits 66 %t told_$out 2>&1 | FileCheck %s || exit 1; done; \
// RUN:   %exits 66 %t atomic 2>&1 | FileCheck --check-prefix=ATOMIC %s || exit 1; \
// RUN:   %silent %t told_atomic || exit 1; done
// Intent: an annotation holds wherever the function was used or declared before
// it, and for what is made of a template or named by an alias. Each has a twin
// without it.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'region'
// ATOMIC: ERROR: AtomicitySanitizer: atomicity violation
// ATOMIC: region 'store_twice

static long value;

// All is used before the annotations are read.
static long read_later(long *p);
static long read_told(long *p);
static inline void store_twice(long first);
static inline void store_told(long first);
struct Reader {
  long read(long *p);
  long told(long *p);
};
template <class T> struct ReaderOf {
  long read(T *p);
  long told(T *p);
};
template <class T> long read_any(T *p);
template <class T> long read_any_told(T *p);
long read_friend(long *p);
long read_friend_told(long *p);
long read_declared(long *p);
long read_declared_told(long *p);
long read_in_block(long *p);
long read_in_block_told(long *p);

static void function() { USE(read_later(&value)); }
static void told_function() { USE(read_told(&value)); }
static void member() { USE(Reader().read(&value)); }
static void told_member() { USE(Reader().told(&value)); }
static void template_member() { USE(ReaderOf<long>().read(&value)); }
static void told_template_member() { USE(ReaderOf<long>().told(&value)); }
static void template_function() { USE(read_any(&value)); }
static void told_template_function() { USE(read_any_told(&value)); }
static void friend_function() { USE(read_friend(&value)); }
static void told_friend_function() { USE(read_friend_told(&value)); }
static void atomic() { store_twice(1); }
static void told_atomic() { store_told(1); }

ATSAN_NO_SANITIZE static long read_later(long *p) { return *p; }
static long read_told(long *p) { return *p; }
ATSAN_NO_SANITIZE inline long Reader::read(long *p) { return *p; }
inline long Reader::told(long *p) { return *p; }
template <class T> ATSAN_NO_SANITIZE long ReaderOf<T>::read(T *p) { return *p; }
template <class T> long ReaderOf<T>::told(T *p) { return *p; }
template <class T> ATSAN_NO_SANITIZE long read_any(T *p) { return *p; }
template <class T> long read_any_told(T *p) { return *p; }
// A specialization has what it says itself.
template <> ATSAN_NO_SANITIZE long read_any_told(int *p) { return *p; }
template <> long read_any(unsigned *p) { return *p; }
static int number;
static unsigned told_number;
static void specialized() { USE(read_any_told(&number)); }
static void told_specialized() { USE(read_any(&told_number)); }
struct Friends {
  ATSAN_NO_SANITIZE friend long read_declared(long *p);
  ATSAN_NO_SANITIZE friend long read_friend(long *p) { return *p; }
  friend long read_friend_told(long *p) { return *p; }
};
void declare_in_block() {
  ATSAN_NO_SANITIZE long read_in_block(long *p);
  (void)read_in_block;
}
long read_declared(long *p) { return *p; }
long read_declared_told(long *p) { return *p; }
long read_in_block(long *p) { return *p; }
long read_in_block_told(long *p) { return *p; }
static void declared() { USE(read_declared(&value)); }
static void told_declared() { USE(read_declared_told(&value)); }
static void block() { USE(read_in_block(&value)); }
static void told_block() { USE(read_in_block_told(&value)); }
ATSAN_ATOMIC static inline void store_twice(long first) {
  STEP(1) value = first;
  STEP(3) value = first + 1;
}
static inline void store_told(long first) {
  STEP(1) value = first;
  STEP(3) value = first + 1;
}

ATSAN_NO_SANITIZE static long read_aliased(long *p) { return *p; }
static long read_aliased_told(long *p) { return *p; }
static long read_alias(long *p) __attribute__((alias("_ZL12read_aliasedPl")));
static long read_alias_told(long *p)
    __attribute__((alias("_ZL17read_aliased_toldPl")));
static void alias() { USE(read_alias(&value)); }
static void told_alias() { USE(read_alias_told(&value)); }

static void interleave(void (*access)()) {
  in_parallel(
      [] {
        atsan::atomic_region region("region");
        STEP(1) value = number = told_number = 1;
        STEP(3) value = number = told_number = 2;
      },
      [=] {
        STEP(2) access();
      });
}

int main(int argc, char **argv) {
  struct {
    const char *name;
    void (*access)();
  } cases[] = {{"function", function},
               {"told_function", told_function},
               {"member", member},
               {"told_member", told_member},
               {"template_member", template_member},
               {"told_template_member", told_template_member},
               {"template_function", template_function},
               {"told_template_function", told_template_function},
               {"friend", friend_function},
               {"told_friend", told_friend_function},
               {"declared", declared},
               {"told_declared", told_declared},
               {"block", block},
               {"told_block", told_block},
               {"specialized", specialized},
               {"told_specialized", told_specialized},
               {"alias", alias},
               {"told_alias", told_alias}};
  for (auto &c : cases)
    if (called_with(argc, argv, c.name))
      interleave(c.access);
  if (called_with(argc, argv, "atomic"))
    in_parallel(atomic, [] {
      STEP(2) value = 3;
    });
  if (called_with(argc, argv, "told_atomic"))
    in_parallel(told_atomic, [] {
      STEP(2) value = 3;
    });
}
