// RUN: %clangxx -O2 -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -Xclang -mllvm -Xclang -atsan-schedule -S -emit-llvm %s -o - | FileCheck %s
// Intent: a function that cannot have two bodies has points in its only one,
// and stays a function of its own: in the scheduled bodies of those that call
// it, its accesses would have none. With the option off, nothing of this is so.
// RUN: %clangxx -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck --check-prefix=OFF %s
// OFF-NOT: schedule
// OFF-NOT: noinline
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

struct Large {
  int values[20];
};
int shared;

// CHECK-LABEL: define {{.*}} @_Z6single5Largez(
// CHECK-SAME: [[ATTRIBUTES:#[0-9]+]]
// CHECK: call void @__atsan_schedule_point(ptr {{.*}}@shared
// CHECK: load i32, ptr @shared
int single(Large large, ...) { return shared + large.values[3]; }

// CHECK-LABEL: define {{.*}} @_Z5outerv.atsan_scheduled(
// CHECK: call {{.*}} @_Z6single5Largez(
int outer() { return single(Large{}, 1); }

// CHECK: attributes [[ATTRIBUTES]] = { {{.*}}noinline
