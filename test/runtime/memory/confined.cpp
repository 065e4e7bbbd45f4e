// RUN: %clangxx_atsan -std=c++17 -O1 -I%inputs %s -o %t
// RUN: %clangxx_atsan -std=c++17 -O0 -I%inputs %s -o %t.0
// Intent: whatever way the address of a stack object, or what a std::string
// points to, takes to another thread: the accesses of the function that owns it
// are observed. If that thread only reads it, nothing is wrong.
// RUN: for i in global deep returned exchanged pointer variadic thrown boxed \
// RUN:     assembly lent array sorted stream captured short_string string \
// RUN:     given swapped by_reference recursive; do \
// RUN:   for p in %t %t.0; do \
// RUN:     %exits 66 $p $i 2>&1 | FileCheck -DCASE=$i %s || exit 1; \
// RUN:     %silent $p $i good || exit 1; \
// RUN:   done; done
//
// CHECK: ERROR: AtomicitySanitizer: atomicity violation
// CHECK: region 'owner'
// CHECK: SUMMARY: {{.*}}confined.cpp:{{.*}} in {{.*}}[[CASE]]
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <stdarg.h>
#include <string>

#define NOINLINE __attribute__((noinline))

char *published;

// What another thread accesses in between.
#define READ_TWICE(object)                                                     \
  do {                                                                         \
    atsan::atomic_region region("owner");                                      \
    STEP(1) USE(object);                                                       \
    STEP(3) USE(object);                                                       \
  } while (0)

NOINLINE static void keep(int *p) { published = reinterpret_cast<char *>(p); }
NOINLINE static void keep_deep(int *p) { keep(p); }
NOINLINE static int *same(int *p) { return p; }

NOINLINE static void global() {
  int x = 1;
  keep(&x);
  READ_TWICE(x);
}

NOINLINE static void deep() {
  int x = 1;
  keep_deep(&x);
  READ_TWICE(x);
}

NOINLINE static void returned() {
  int x = 1;
  int *p = same(&x);
  keep(p);
  READ_TWICE(x);
}

NOINLINE static void exchange(int *p) {
  __atomic_exchange_n(&published, reinterpret_cast<char *>(p),
                      __ATOMIC_SEQ_CST);
}

NOINLINE static void exchanged() {
  int x = 1;
  exchange(&x);
  READ_TWICE(x);
}

static void (*volatile function)(int *) = keep;

NOINLINE static void pointer() {
  int x = 1;
  function(&x);
  READ_TWICE(x);
}

NOINLINE static void keep_last(int count, ...) {
  va_list list;
  va_start(list, count);
  keep(va_arg(list, int *));
  va_end(list);
}

NOINLINE static void variadic() {
  int x = 1;
  keep_last(1, &x);
  READ_TWICE(x);
}

NOINLINE static void throws(int *p) { throw p; }

NOINLINE static void thrown() {
  int x = 1;
  try {
    throws(&x);
  } catch (int *p) {
    keep(p);
  }
  READ_TWICE(x);
}

struct Box {
  int *p;
};

NOINLINE static void open_box(Box *box) { keep(box->p); }

NOINLINE static void boxed() {
  int x = 1;
  Box box{&x};
  open_box(&box);
  READ_TWICE(x);
}

NOINLINE static void hide(int *p) {
  int *q;
  __asm__("" : "=r"(q) : "0"(p));
  keep(q);
}

NOINLINE static void assembly() {
  int x = 1;
  hide(&x);
  READ_TWICE(x);
}

template <class F> NOINLINE static void apply(F f) { f(); }

NOINLINE static void captured() {
  int x = 1;
  apply([&] { keep(&x); });
  READ_TWICE(x);
}

NOINLINE static void keep_reference(int &r) { keep(&r); }

NOINLINE static void by_reference() {
  int x = 1;
  keep_reference(x);
  READ_TWICE(x);
}

NOINLINE static int keep_later(int *p, int n) {
  if (n == 0) {
    keep(p);
    return 0;
  }
  return keep_later(p, n - 1) * 2 + 1;
}

NOINLINE static void recursive() {
  int x = 1;
  USE(keep_later(&x, 3));
  READ_TWICE(x);
}

// No copy of the address outlives this call.
__attribute__((weak, noinline)) void lend(__attribute__((noescape)) int *p) {
  published = reinterpret_cast<char *>(p);
  step_end(1);
  step_begin(3);
}

NOINLINE static void lent() {
  int x = 1;
  atsan::atomic_region region("owner");
  USE(x);
  lend(&x);
  USE(x);
}

NOINLINE static void array() {
  int x[4] = {1, 2, 3, 4};
  keep(x);
  READ_TWICE(x[0]);
}

static int compare(const void *a, const void *b) {
  keep(static_cast<int *>(const_cast<void *>(a)));
  return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

NOINLINE static void sorted() {
  int x[2] = {1, 2};
  qsort(x, 2, sizeof(int), compare);
  READ_TWICE(x[0]);
}

static ssize_t lend_to_thread(void *, const char *p, size_t size) {
  lend(reinterpret_cast<int *>(const_cast<char *>(p)));
  return static_cast<ssize_t>(size);
}

NOINLINE static void stream() {
  FILE *file =
      fopencookie(nullptr, "w", {nullptr, lend_to_thread, nullptr, nullptr});
  setvbuf(file, nullptr, _IONBF, 0);
  char x[8192] = {1};
  {
    atsan::atomic_region region("owner");
    USE(x[0]);
    fwrite(x, 1, sizeof(x), file);
    // LLVM 22 knows that fwrite does not write, and would not read again.
    USE(*static_cast<volatile char *>(x));
  }
  fclose(file);
}

NOINLINE static char *characters(std::string &s) { return s.data(); }

// In the string's own buffer.
NOINLINE static void short_string() {
  std::string s("short");
  published = characters(s);
  READ_TWICE(s[0]);
}

NOINLINE static void string() {
  std::string s("too long for a buffer of its own");
  published = characters(s);
  READ_TWICE(s[0]);
}

static std::string other("another one, which other threads know");

NOINLINE static void give(std::string &s) { s = std::move(other); }

NOINLINE static void given() {
  std::string s;
  published = other.data();
  give(s);
  READ_TWICE(s[0]);
}

NOINLINE static void swapped() {
  std::string s;
  published = other.data();
  s.swap(other);
  READ_TWICE(s[0]);
}

int main(int argc, char **argv) {
  bool good = called_with(argc, argv, "good");
  struct {
    const char *name;
    void (*run)();
  } cases[] = {
      {"global", global},       {"deep", deep},
      {"returned", returned},   {"exchanged", exchanged},
      {"pointer", pointer},     {"variadic", variadic},
      {"thrown", thrown},       {"boxed", boxed},
      {"assembly", assembly},   {"lent", lent},
      {"array", array},         {"sorted", sorted},
      {"stream", stream},       {"captured", captured},
      {"string", string},       {"short_string", short_string},
      {"given", given},         {"swapped", swapped},
      {"recursive", recursive}, {"by_reference", by_reference},
  };
  for (auto &c : cases)
    if (called_with(argc, argv, c.name))
      in_parallel([&] { c.run(); },
                  [&] {
                    STEP(2) {
                      if (good)
                        USE(*published);
                      else
                        *published = 7;
                    }
                  });
}
