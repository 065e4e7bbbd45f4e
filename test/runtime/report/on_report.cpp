// RUN: %clangxx_atsan -I %inputs %s -o %t
// RUN: %exits 66 %t 2>&1 | FileCheck %s
// RUN: %clangxx_atsan -I %inputs -DTWIN %s -o %t.twin
// RUN: %silent %t.twin
// RUN: %clangxx -idirafter %atsan_include -I %inputs -Wall -Wextra -Werror -Wno-unused-value %s -o %t.off
// RUN: %silent %t.off
// Intent: __atsan_on_report is called once per report, after it was printed,
// and reads it by the functions of the interface; its accesses do not count.
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Inputs/threads.h"

#include <string.h>

long balance;

static void *deposit(void *) {
  __atsan_region_begin("deposit");
  long seen;
  STEP(ORDER(1, 2)) seen = balance;
  STEP(3) balance = seen + 100;
  __atsan_region_end();
  return nullptr;
}

static void *withdraw(void *) {
  STEP(ORDER(2, 1)) balance = -30;
  return nullptr;
}

extern "C" void __atsan_on_report(__atsan_report *report) {
  balance = 0;
  fprintf(stderr, "version %u of %s\n", __atsan_report_version(),
          __atsan_report_kind(report));
  fprintf(stderr, "says: %s\n", __atsan_report_message(report));
  fprintf(stderr, "fingerprint %s\n", __atsan_report_fingerprint(report));
  fprintf(stderr, "suppressed by %s\n", __atsan_report_suppression(report));
  for (unsigned long step = 0; step <= __atsan_report_steps(report); step++) {
    for (int later = 0; later < 2; later++) {
      struct __atsan_event event = {"?", nullptr, 9, 9, "?"};
      void *pcs[2] = {nullptr, nullptr};
      if (!__atsan_report_event(report, step, later, &event, sizeof(event))) {
        fprintf(stderr, "no step %lu\n", step);
        continue;
      }
      unsigned long depth = __atsan_report_stack(report, step, later, pcs, 2);
      fprintf(stderr, "step %lu: %s of %lu bytes%s by %d in %s, %lu deep%s\n",
              step, event.access, event.size,
              event.address == &balance ? " of balance" : "", event.thread,
              event.region ? event.region : "no region", depth,
              pcs[0] && !pcs[1] ? "" : "?");
    }
  }
  // A caller that was compiled when the struct was smaller, or is larger.
  struct __atsan_event small = {"?", nullptr, 9, 9, "?"};
  __atsan_report_event(report, 0, 0, &small, sizeof(small.access));
  struct {
    struct __atsan_event event;
    long more;
  } large = {{"?", nullptr, 9, 9, "?"}, 9};
  __atsan_report_event(report, 0, 0, &large.event, sizeof(large));
  fprintf(stderr, "small: %s %lu, large: %s %lu %ld\n", small.access,
          small.size, large.event.access, large.event.size, large.more);
  const char *json = __atsan_report_json(report);
  fprintf(stderr, "JSON on %s: %.26s\n",
          strchr(json, '\n') ? "many lines" : "one line", json);
}

int main() {
  pthread_t a, b;
  pthread_create(&a, nullptr, deposit, nullptr);
  pthread_create(&b, nullptr, withdraw, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}

// CHECK: SUMMARY: AtomicitySanitizer
// CHECK-NEXT: version 1 of atomicity-violation
// CHECK-NEXT: says: Region 'deposit' of T1 is not atomic: T2 came in between
// CHECK-NEXT: fingerprint 1-{{[0-9a-f]+$}}
// CHECK-NEXT: suppressed by fingerprint:1-{{[0-9a-f]+$}}
// CHECK-NEXT: step 0: read of 8 bytes of balance by 1 in region 'deposit', 1 deep
// CHECK-NEXT: step 0: write of 8 bytes of balance by 2 in no region, 1 deep
// CHECK-NEXT: step 1: write of 8 bytes of balance by 2 in no region, 1 deep
// CHECK-NEXT: step 1: write of 8 bytes of balance by 1 in region 'deposit', 1 deep
// CHECK-NEXT: no step 2
// CHECK-NEXT: no step 2
// CHECK-NEXT: small: read 9, large: read 8 0
// CHECK-NEXT: JSON on one line: {"schema":"atsan-report-2"
// CHECK-NOT: version
