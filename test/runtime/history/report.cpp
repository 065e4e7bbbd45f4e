// Intent: a result that no moment explains is a report with both stacks, for
// people, as JSON, and for atsan report; the correct twin is silent.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %clangxx_atsan -std=c++17 -g -O1 %s -o test
// RUN: %silent ./test
// RUN: %exits 66 ./test stale 2>&1 | FileCheck %s
//      CHECK: ERROR: AtomicitySanitizer: linearizability violation: register 'x': 'read finds 0' fits nowhere between its call and its return, when the register can have held 7 (in the main thread)
//      CHECK: #{{[0-9]+}} {{.*}}reader() {{.*}}report.cpp:{{[0-9]+}}
//      CHECK: It contradicts: write leaves 7 (in T1)
//      CHECK: #{{[0-9]+}} {{.*}}writer() {{.*}}report.cpp:{{[0-9]+}}
//      CHECK: Thread T1 (finished) was created by the main thread:
//      CHECK: SUMMARY: AtomicitySanitizer: linearizability-violation {{.*}}report.cpp:{{.*}} in {{.*}}reader()
//
// RUN: env ATSAN_OPTIONS=report_format=json:log_path=log %exits 66 ./test stale
// RUN: grep -h atsan-report-2 log.* > one.json && %python %atsan_source_dir/test/tools/report/Inputs/validate.py json %atsan_source_dir/schema/atsan-report-2.schema.json one.json
// RUN: %exits 66 %atsan report log.* --html=html --sarif=sarif > out; FileCheck --check-prefix=TOOL %s < out
// TOOL: 1. linearizability-violation at {{.*}}report.cpp
// TOOL: Step 1: write leaves 7 by T1
// TOOL: before read finds 0 by the main thread
//
// The C functions; a compare-and-swap.
// RUN: %exits 66 ./test cas 2>&1 | FileCheck --check-prefix=CAS %s
// CAS: register 'y': 'cas finds 1 leaves 2' fits nowhere {{.*}} can have held 5 (in the main thread)
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstring>
#include <sanitizer/atsan_history.hpp>
#include <thread>

atsan::history<int> watched("x", 0);
int held, shown;
__attribute__((noinline)) void writer() {
  watched.write(7, [] { held = 7; });
}
__attribute__((noinline)) int reader() {
  return watched.read([] { return shown; });
}

int main(int argc, char **argv) {
  std::thread(writer).join();
  const bool is_stale = argc > 1 && !strcmp(argv[1], "stale");
  shown = is_stale ? 0 : held;
  reader();
  if (argc > 1 && !strcmp(argv[1], "cas")) {
    int y = 0;
    __atsan_history_begin(&y, 5, 32, "y");
    __atsan_call(&y, __atsan_cas, 2, 1);
    __atsan_return(&y, 1, 1);
    __atsan_history_end(&y);
  }
}
