// RUN: %clang_atsan -O1 -S -emit-llvm %s -o - -mllvm -print-after-all 2>%t.dump | FileCheck %s
// RUN: FileCheck --check-prefix=MARKED %s < %t.dump
// Intent: of an operation that clang makes a loop of, the exchange is told
// once, and a failed one as no access; the load is not told. The exchange
// orders what is around it like any other. The twin is a loop of the source.
//
// MARKED: IR Dump After atsan::MarkerPass
// MARKED: define {{.*}} @update(
// MARKED: load atomic i32, ptr @x syncscope("atsan.update") seq_cst
// MARKED-NEXT: fence syncscope("singlethread") seq_cst
// MARKED: cmpxchg ptr @x, {{.*}} syncscope("atsan.update") seq_cst
// MARKED-NEXT: fence syncscope("singlethread") seq_cst
// MARKED: define {{.*}} @loop(
// MARKED-NOT: atsan.update
// MARKED: ret void
//
// CHECK-LABEL: define {{.*}} @update(
// CHECK-NOT: @__atsan_atomic_enter
// CHECK: load atomic i32, ptr @x
// CHECK: call i32 @__atsan_atomic_enter(
// CHECK: cmpxchg ptr @x
// CHECK: select i1 {{.*}}, i32 2, i32 4
// CHECK: call void @__atsan_atomic_exit(
// CHECK-NOT: @__atsan_atomic_enter
// CHECK: ret void
// CHECK-LABEL: define {{.*}} @loop(
// CHECK: call i32 @__atsan_atomic_enter(
// CHECK: load atomic i32, ptr @x
// CHECK: call i32 @__atsan_atomic_enter(
// CHECK: select i1 {{.*}}, i32 2, i32 3
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdatomic.h>

_Atomic int x;

void update(void) { x *= 3; }

void loop(void) {
  int old = x;
  while (!atomic_compare_exchange_weak(&x, &old, old * 3))
    ;
}
