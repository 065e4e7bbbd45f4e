// RUN: %atsan_driver_clangxx -fsanitize=atomicity -g -O1 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -g -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -O1 -S -emit-llvm %s -o - | FileCheck --check-prefix=NO-NAMES %s
// Intent: a frame that is realigned has a record of its variables, if their
// names are known. No other frame pays for one, nor does one whose variables
// nobody else sees.
// NO-NAMES-NOT: @llvm.frameaddress
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

void see(void *);

// CHECK-DAG: constant [5 x i8] c"wide\00"
// CHECK-DAG: constant [5 x i8] c"slim\00"
// CHECK-DAG: @atsan.variables = private constant {{.*}} ptr @_Z9realignedv, i64 2,

// CHECK-LABEL: define {{.*}}@_Z9realignedv
// CHECK: call ptr @llvm.frameaddress.p0(i32 0)
// CHECK: store volatile ptr @atsan.variables,
// CHECK-COUNT-3: store volatile ptr %
void realigned() {
  alignas(32) char wide[40];
  long slim;
  see(wide);
  see(&slim);
}

// What is kept in the frame across a call may realign it, too.
// CHECK-LABEL: define {{.*}}@_Z8vectored
// CHECK: call ptr @llvm.frameaddress.p0(i32 0)
typedef float Wide __attribute__((vector_size(32)));
void vectored(const Wide *from, Wide *to) {
  long slim;
  const Wide kept = *from;
  see(&slim);
  *to = kept;
}

// CHECK-LABEL: define {{.*}}@_Z5plainv
// CHECK-NOT: @llvm.frameaddress
// CHECK-LABEL: define {{.*}}@_Z6hiddenPc
// CHECK-NOT: @llvm.frameaddress
// CHECK: }
void plain() {
  alignas(16) char wide[40];
  see(wide);
}

char hidden(char *from) {
  alignas(32) volatile char wide[40];
  wide[*from] = from[1];
  return wide[*from];
}
