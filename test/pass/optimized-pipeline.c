// RUN: %clang -O0 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O1 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O3 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -Os -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// Intent: clang runs both halves of the work at every optimization level, on
// code that is optimized already: a local variable costs nothing.

int shared;

// CHECK-LABEL: define {{.*}}@increment(
// CHECK-NOT:     @__atsan_stack
// CHECK:         call void @__atsan_read4(ptr @shared)
// CHECK:         call void @__atsan_write4(ptr @shared)
// CHECK-NOT:     @__atsan_{{read|write|stack}}
// CHECK:         ret void
void increment(int by) {
  int local = by;
  shared += local;
}

// CHECK: define internal void @atsan.module_ctor(
// CHECK: call void @__atsan_init_module(i32 1, i32 0)
