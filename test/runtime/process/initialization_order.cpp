// RUN: %clangxx_atsan -O1 -I%inputs -DLIBRARY -fPIC -shared %s -o %t.so
// Intent: constructors and destructors, of a library and of the program, with
// priorities and of static objects of several files, with regions and threads
// in them, run in the order in which they run without us.
// RUN: %clangxx_atsan -O1 -I%inputs -DSECOND -c %s -o %t.second.o
// RUN: %clangxx_atsan -O1 -I%inputs -c %s -o %t.first.o
// RUN: %clangxx_atsan %t.first.o %t.second.o %t.so -o %t -ldl
// RUN: %clangxx -O1 -I%inputs -I%atsan_include -DLIBRARY -fPIC -shared %s -o %t.native.so -pthread
// RUN: %clangxx -O1 -I%inputs -I%atsan_include -DSECOND -c %s -o %t.second.native.o
// RUN: %clangxx -O1 -I%inputs -I%atsan_include -c %s -o %t.first.native.o
// RUN: %clangxx %t.first.native.o %t.second.native.o %t.native.so -o %t.native -ldl -pthread
// RUN: %exits 0 %t.native > %t.native.order
// RUN: %exits 0 %t > %t.order
// RUN: diff %t.native.order %t.order
// RUN: FileCheck %s < %t.order
// CHECK: begin library
// CHECK: begin of priority 101
// CHECK: begin first
// CHECK: begin second
// CHECK: no error before dlsym
// CHECK: end second
// CHECK: end first
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <dlfcn.h>
#include <mutex>
#include <sanitizer/atsan.hpp>
#include <stdio.h>
#include <string>
#include <thread>

extern int count;
extern std::mutex count_mutex;

static void add() {
  atsan::atomic_region region("add");
  std::lock_guard<std::mutex> guard(count_mutex);
  count++;
}

namespace {
// Says when it begins and ends, and works in both.
struct Object {
  std::string name;
  explicit Object(const char *which) : name(which) { say("begin"); }
  ~Object() { say("end"); }
  void say(const char *what) {
    std::thread(add).join();
    add();
    printf("%s %s: %d\n", what, name.c_str(), count);
  }
};
} // namespace

#ifdef LIBRARY

int count;
std::mutex count_mutex;
static Object object("library");

#elif defined(SECOND)

static Object object("second");

#else

static Object object("first");

__attribute__((constructor(101))) static void early() {
  add();
  printf("begin of priority 101: %d\n", count);
}

__attribute__((destructor(101))) static void late() {
  add();
  printf("end of priority 101: %d\n", count);
}

int main() {
  const char *error = dlerror();
  printf("%s before dlsym\n", error ? error : "no error");
  static Object local("local");
  printf("main\n");
}

#endif
