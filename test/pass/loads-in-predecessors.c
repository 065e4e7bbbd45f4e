// RUN: %clang_atsan -O2 -S -emit-llvm %s -o - | FileCheck %s
// Intent: where one way to a load has its value already, the optimizer loads on
// the other ways only (GVN). There the source reads, so the
// read is told where it stands, also if its value may never matter.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

struct state {
  int phase, kept, other;
};

// CHECK-LABEL: define {{.*}} @restored(
// CHECK: [[KEPT:%.*]] = getelementptr inbounds {{.*}} %0, i64 4
// CHECK: load i32, ptr [[KEPT]]
// CHECK-NOT: phi i1
// CHECK-NOT: select
// CHECK: call void @__atsan_read4(ptr [[KEPT]])
// CHECK-NOT: phi i1
// CHECK: ret
int restored(struct state *s, int is_wanted) {
  if (s->phase == 10)
    s->kept = 0;
  int kept = s->kept;
  s->other = 1;
  return is_wanted ? kept : 0;
}

// The twin reads on some ways only, so it is told there.
// CHECK-LABEL: define {{.*}} @seldom(
// CHECK: br i1
// CHECK: store i32 0, ptr [[SELDOM:%[0-9]+]],
// CHECK: call void @__atsan_write4(ptr [[SELDOM]])
// CHECK: store i32 1,
// CHECK: br i1
// CHECK: br i1
// CHECK: load i32, ptr [[READ:%[0-9]+]],
// CHECK: call void @__atsan_read4(ptr [[READ]])
// CHECK: ret
int seldom(struct state *s, int is_wanted) {
  if (s->phase == 10)
    s->kept = 0;
  s->other = 1;
  return is_wanted ? s->kept : 0;
}
