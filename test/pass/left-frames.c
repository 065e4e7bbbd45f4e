// RUN: %clang_atsan -O2 -S -emit-llvm %s -o - | FileCheck %s
// Intent: where a function returns with a region of its own that is open, the
// runtime is told that the region's frame is left; nowhere else.
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

void __atomic_begin(void);
void __atomic_end(void);
void __atsan_region_begin(const char *name);
void __atsan_region_end(void);
int other(int);

// CHECK-LABEL: define {{.*}} @begin(
// CHECK: call void @__atomic_begin()
// CHECK-NEXT: call void @__atsan_region_frame_left()
// CHECK-NEXT: ret
void begin(void) { __atomic_begin(); }

// CHECK-LABEL: define {{.*}} @end(
// CHECK-NOT: region_frame_left
// CHECK: ret
void end(void) { __atomic_end(); }

// CHECK-LABEL: define {{.*}} @both(
// CHECK-NOT: region_frame_left
// CHECK: ret
int both(int n) {
  for (int i = 0; i < n; ++i) {
    __atsan_region_begin("round");
    if (other(i)) {
      __atsan_region_end();
      return 1;
    }
    __atsan_region_end();
  }
  return 0;
}

// CHECK-LABEL: define {{.*}} @try_begin(
// CHECK: call void @__atsan_region_begin(
// CHECK: call void @__atsan_region_frame_left()
// CHECK: ret i32
int try_begin(int n) {
  __atsan_region_begin("tried");
  if (n) {
    __atsan_region_end();
    return 1;
  }
  return 0;
}

// CHECK-LABEL: define {{.*}} @two(
// CHECK: call void @__atomic_end()
// CHECK: call void @__atsan_region_frame_left()
// CHECK: ret
void two(void) {
  __atomic_begin();
  __atomic_begin();
  __atomic_end();
}

// CHECK-LABEL: define {{.*}} @before_tail_call(
// CHECK: call void @__atsan_region_frame_left()
// CHECK-NEXT: musttail call i32 @other(
// CHECK-NEXT: ret
int before_tail_call(int n) {
  __atomic_begin();
  __attribute__((musttail)) return other(n);
}
