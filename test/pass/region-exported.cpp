// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-regions=exported -pthread -O0 -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-regions=exported -pthread -O2 -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: grep -c 'call void @__atsan_region_begin' %t.ll | FileCheck --check-prefix=COUNT %s
// Intent: every externally visible function is a region, but for main, what
// threads begin with, run() methods, what never returns, allocation functions,
// code of the C++ library and what is opted out.

#include <future>
#include <new>
#include <pthread.h>
#include <sanitizer/atsan.hpp>
#include <stdlib.h>
#include <thread>
#include <vector>

#define KEEP __attribute__((used, noinline))

int x;

// CHECK-LABEL: define {{.*}}@_Z6publicv(
// CHECK:         call void @__atsan_region_begin
// CHECK:         ret
KEEP void public_() __asm__("_Z6publicv");
void public_() { x++; }

namespace {
// CHECK-LABEL: define {{.*}}@_ZN12_GLOBAL__N_16hiddenEv(
// CHECK-NOT:     __atsan_region_begin
// CHECK:         ret
KEEP void hidden() { x++; }
} // namespace

struct Account {
  // CHECK-LABEL: define {{.*}}@_ZN7Account7depositEi(
  // CHECK:         call void @__atsan_region_begin
  // CHECK:         ret
  void deposit(int);
  // CHECK-LABEL: define {{.*}}@_ZN7Account3runEv(
  // CHECK-NOT:     __atsan_region_begin
  // CHECK:         ret
  void run();
  // CHECK-LABEL: define {{.*}}@_ZN7Account3runEi(
  // CHECK:         call void @__atsan_region_begin
  // CHECK:         ret
  void run(int);
  // CHECK-LABEL: define {{.*}}@_ZN7Account6memberEv(
  // CHECK-NOT:     __atsan_region_begin
  // CHECK:         ret
  void member();
};
KEEP void Account::deposit(int n) { x += n; }
KEEP void Account::run() { x++; }
KEEP void Account::run(int) { x++; }
KEEP void Account::member() { x++; }

// CHECK-LABEL: define {{.*}}@posix_entry(
// CHECK-NOT:     __atsan_region_begin
// CHECK:         ret
extern "C" KEEP void *posix_entry(void *) {
  x++;
  return nullptr;
}

// CHECK-LABEL: define {{.*}}@_Z9std_entryi(
// CHECK-NOT:     __atsan_region_begin
// CHECK:         ret
KEEP void std_entry(int) { x++; }

// CHECK-LABEL: define {{.*}}@_Z11std_pointeri(
// CHECK-NOT:     __atsan_region_begin
// CHECK:         ret
KEEP void std_pointer(int) { x++; }

// CHECK-LABEL: define {{.*}}@_Z4taskv(
// CHECK-NOT:     __atsan_region_begin
// CHECK:         ret
KEEP int task() { return x++; }

// CHECK-LABEL: define {{.*}}@_Z6serverv(
// CHECK-NOT:     __atsan_region_begin
// CHECK:         unreachable
[[noreturn]] KEEP void server() {
  for (;;)
    if (x++)
      abort();
}

// CHECK-LABEL: define {{.*}}@_Znwm(
// CHECK-NOT:     __atsan_region_begin
// CHECK:         ret
KEEP void *operator new(size_t size) {
  x++;
  return malloc(size);
}

// CHECK-LABEL: define {{.*}}@_Z7ignoredv(
// CHECK-NOT:     __atsan_region_begin
// CHECK:         ret
__attribute__((annotate("atsan_no_sanitize"))) KEEP void ignored() { x++; }

// What a thread begins with may be an object, also one that a template of the
// program hands on.
struct Worker {
  // CHECK-LABEL: define {{.*}}@_ZN6WorkerclEv(
  // CHECK-NOT:     __atsan_region_begin
  // CHECK:         ret
  void operator()();
  // CHECK-LABEL: define {{.*}}@_ZN6WorkerclEi(
  // CHECK:         call void @__atsan_region_begin
  // CHECK:         ret
  void operator()(int);
};
KEEP void Worker::operator()() { x++; }
KEEP void Worker::operator()(int) { x++; }

struct Starter {
  // CHECK-LABEL: define {{.*}}@_ZN7StarterclEv(
  // CHECK-NOT:     __atsan_region_begin
  // CHECK:         ret
  void operator()();
};
KEEP void Starter::operator()() { x++; }

template <class F> std::thread start(F f) { return std::thread(f); }

inline auto empty() {
  return []() KEEP { x++; };
}

// CHECK-LABEL: define {{.*}}@main(
// CHECK-NOT:     __atsan_region_begin
// CHECK:         ret
int main() {
  std::vector<int> v;
  v.push_back(1);
  pthread_t posix;
  pthread_create(&posix, nullptr, posix_entry, nullptr);
  pthread_join(posix, nullptr);
  Account account;
  std::thread(std_entry, 1).join();
  std::thread(&std_pointer, 1).join();
  std::thread(&Account::member, &account).join();
  start(Worker()).join();
  std::async(std::launch::async, Starter()).get();
  empty()();
  // Its constructor is a mark, and no function of the program.
  const atsan::atomic_region region("marked");
  return std::async(std::launch::async, task).get();
}

// A lambda in an inline function, which other files have, too.
// CHECK-LABEL: define {{.*}}@_ZZ5emptyvENKUlvE_clEv(
// CHECK-NOT:     __atsan_region_begin
// CHECK:         ret
// public_, deposit, run(int), operator()(int), start, empty, and the mark
// COUNT: 7
