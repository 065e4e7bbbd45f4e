// RUN: %clangxx_atsan -O1 -I %inputs %s -o %t
// RUN: rm -rf %t.logs && mkdir %t.logs
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:report_format=json:log_path=%t.logs/log %run %t
// RUN: %validate log %schema %t.logs/*
// Intent: a potential finding is called so in every form of output, and fails
// the run only if it is asked to.
// RUN: %atsan report --source-root=%S %t.logs --sarif=%t.sarif --junit=%t.junit --html=%t.html > %t.text
// RUN: FileCheck %s --check-prefix=TEXT < %t.text
// TEXT: 1. irreducible-region (potential: no bad schedule was observed) at potential.cpp:
// TEXT-NEXT: Region 'deposit' of T2 may not be atomic
// TEXT-NEXT: 1 report
// TEXT-NEXT: Step 1: Other threads may come in between an unprotected read
// TEXT-NEXT: {{^}}      read of 4 bytes (global 'balance') by T2, in region 'deposit'
// TEXT-NEXT: at potential.cpp:
// TEXT-NEXT: {{^}}      and write of 4 bytes
// TEXT: Step 2: These accesses may overlap
// RUN: %validate json %S/Inputs/sarif-2.1.0.schema.json %t.sarif
// RUN: FileCheck %s --check-prefix=SARIF < %t.sarif
// SARIF: "id": "irreducible-region"
// SARIF: "results":
// SARIF: "ruleId": "irreducible-region"
// SARIF-NEXT: "level": "warning"
// SARIF: (potential: no bad schedule was observed)"
// SARIF-NOT: "codeFlows"
// SARIF: "relatedLocations"
// SARIF: "text": "Other threads may come in between {{.*}}: T2: read of 4 bytes
// RUN: %validate xml %t.junit
// RUN: FileCheck %s --check-prefix=JUNIT < %t.junit
// JUNIT: tests="1" failures="0" errors="0" skipped="1"
// JUNIT: <skipped message="potential: Region 'deposit' of T2 may not be atomic
// RUN: %validate page %t.html
// RUN: FileCheck %s --check-prefix=HTML < %t.html
// HTML: irreducible-region (potential: no bad schedule was observed)
// HTML-NOT: <svg
// HTML: <p>Other threads may come in between
// HTML: <h3>T2: read of 4 bytes
// HTML: <p>These accesses may overlap
//
// RUN: %atsan report --fail-on=potential %t.logs --junit=%t.junit > %t.text; test $? = 66
// RUN: FileCheck %s --check-prefix=FAILS < %t.junit
// FAILS: tests="1" failures="1" errors="0" skipped="0"
// FAILS: <failure type="irreducible-region (potential: no bad schedule was observed)"
// RUN: %atsan report %t.logs --write-baseline=%t.base
// RUN: %atsan report --fail-on=potential --baseline=%t.base %t.logs
//
// RUN: rm -rf %t.none && mkdir %t.none
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:report_format=json:log_path=%t.none/log %run %t good
// RUN: %atsan report --fail-on=potential %t.none
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "atsan_test.hpp"

#include <mutex>

int balance;
std::mutex mutex;

int main(int argc, char **argv) {
  const bool good = called_with(argc, argv, "good");
  const auto lock = [=] {
    return good ? std::unique_lock<std::mutex>(mutex)
                : std::unique_lock<std::mutex>();
  };
  in_parallel(
      [=] {
        STEP(1) {
          auto held = lock();
          balance = 1;
        }
      },
      [=] {
        STEP(2) {
          atsan::atomic_region region("deposit");
          auto held = lock();
          USE(balance);
          balance = 2;
        }
      });
}
