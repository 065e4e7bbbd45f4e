// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: env ATSAN_OPTIONS=verbosity=1 %exits 66 %t 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %clangxx_atsan -I %inputs -DTWIN %s -o %t.twin
// RUN: %silent %t.twin
// Intent: of frames within the C++ library only the function that the program
// called is shown, and long template arguments are left out; operators with
// brackets in their names survive that. verbosity=1 shows all.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

#include <map>
#include <string>
#include <vector>

using Table = std::map<std::string, std::map<std::string, std::string>>;

struct Log {
  // Arguments that are long, and names that have "<" and ">" in them.
  template <class A, class B, class C>
  __attribute__((noinline)) Log &operator<<(std::map<A, std::map<B, C>> table) {
    tables.push_back(table);
    return *this;
  }
  template <class A, class B, class C>
  __attribute__((noinline)) Log *operator>>(std::map<A, std::map<B, C>> *) {
    tables.pop_back();
    return this;
  }

  std::vector<Table> tables;
};

Log entries;

static void *append(void *) {
  __atsan_region_begin("append");
  STEP(ORDER(1, 2)) entries << Table();
  STEP(3) entries >> static_cast<Table *>(nullptr);
  __atsan_region_end();
  return nullptr;
}

static void *other(void *) {
  STEP(ORDER(2, 1)) entries << Table();
  return nullptr;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, append, nullptr);
  pthread_create(&b, nullptr, other, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}

// CHECK: Step 1:
// CHECK-NEXT: First: write
// CHECK-NEXT: #0 std::vector<...>::push_back(std::map<...> const&) {{.*}}stl_vector.h
// CHECK-NEXT: #1 Log& Log::operator<<<...>(std::map<...>) {{.*}}library_frames.cpp:[[#]]:
// CHECK-NEXT: #2 append(void*) {{.*}}library_frames.cpp:[[#]]:
// CHECK: Step 2:
// CHECK: Later:
// CHECK-NEXT: #0 std::vector<...>::pop_back() {{.*}}stl_vector.h
// CHECK-NEXT: #1 Log* Log::operator>><...>(std::map<...>*) {{.*}}library_frames.cpp:[[#]]:
// CHECK-NEXT: #2 append(void*) {{.*}}library_frames.cpp:[[#]]:
// CHECK: SUMMARY: {{.*}}library_frames.cpp:{{.*}} in Log* Log::operator>><...>(

// ALL: Step 1:
// ALL: Later: read
// ALL-NEXT: #0 std::vector<{{.*}}basic_string<char{{.*}}/c++/
// ALL: Step 2:
// ALL: Log* Log::operator>><std::{{.*}}basic_string<char{{.*}}library_frames.cpp:
