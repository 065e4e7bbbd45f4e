// RUN: %clangxx -O2 -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -Xclang -mllvm -Xclang -atsan-schedule -S -emit-llvm %s -o %t.ll
// RUN: opt -passes=verify -disable-output %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=ONCE %s < %t.ll
// RUN: %clangxx -O0 -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -Xclang -mllvm -Xclang -atsan-schedule -S -emit-llvm %s -o %t.0.ll
// RUN: opt -passes=verify -disable-output %t.0.ll
// RUN: FileCheck %s < %t.0.ll
// RUN: %clangxx -O2 -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck --check-prefix=OFF %s
// OFF-NOT: atsan_schedule
//
// Intent: with -atsan-schedule, a function that others can call goes on in a
// second body while schedules are controlled. There, each access that others
// may notice has a point before it, in the order of the source; the usual body
// stays as it is.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

struct Pair {
  int first, second;
};
Pair shared;
int other;
void call(int);

// The optimizer may not read `other` where the source does not.
int conditional(bool c) { return c ? shared.first : other; }
// CHECK-LABEL: define {{.*}} @_Z11conditionalb(
// CHECK: load volatile i32, ptr @__atsan_scheduled
// CHECK: musttail call {{.*}} @_Z11conditionalb.atsan_scheduled(
// CHECK-NEXT: ret

static int local(const int *p) { return *p + 1; }
int caller() { return local(&shared.second); }

int variadic(int n, ...) { return shared.first + n; }
// CHECK-LABEL: define {{.*}} @_Z8variadiciz(
// CHECK: musttail call {{.*}} @_Z8variadiciz.atsan_scheduled(i32 {{.*}}, ...)

// No function that lists its arguments goes on by a tail call.
int listed(int n, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, n);
  n += __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return shared.first + n;
}
// CHECK-LABEL: define {{.*}} @_Z6listediz(
// CHECK-NOT: va_start
// CHECK: musttail call {{.*}} @_Z6listediz.atsan_scheduled(i32 {{.*}}, ...)
// CHECK: musttail call {{.*}} @_Z6listediz.atsan_usual(i32 {{.*}}, ...)

void copy(Pair *to) { *to = shared; }

int atomic(int *p) { return __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST); }

// CHECK-LABEL: define internal {{.*}} @_Z11conditionalb.atsan_scheduled(
// CHECK-NOT: __atsan_read
// CHECK: br i1
// CHECK: call void @__atsan_schedule_point(ptr {{.*}}, i64 4, i32 0, ptr {{.*}}@atsan_place
// CHECK: call void @__atsan_schedule_point(ptr {{.*}}, i64 4, i32 0, ptr {{.*}}@atsan_place
// CHECK: {{^}}}

// A function that is inlined is so into the other scheduled body, too, and what
// nobody needs is gone.
// ONCE-NOT: define {{.*}} @_ZL5localPKi

// CHECK-LABEL: define internal {{.*}} @_Z4copyP4Pair.atsan_scheduled(
// CHECK: call {{.*}}@__atsan_mem{{cpy|move}}(

// The point comes first, and the bracket tells of the access.
// CHECK-LABEL: define internal {{.*}} @_Z6atomicPi.atsan_scheduled(
// CHECK: call void @__atsan_schedule_point(ptr {{.*}}, i64 4, i32 3, ptr {{.*}}@atsan_place
// CHECK: call i32 @__atsan_atomic_enter(
// CHECK: atomicrmw
// CHECK: call void @__atsan_atomic_exit(
