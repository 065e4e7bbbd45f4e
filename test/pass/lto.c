// RUN: %clang -O2 -flto -fpass-plugin=%plugin -c %s -o %t.full.bc
// RUN: llvm-dis %t.full.bc -o - | FileCheck %s
// RUN: %clang -O2 -flto=thin -fpass-plugin=%plugin -c %s -o %t.thin.bc
// RUN: llvm-dis %t.thin.bc -o - | FileCheck %s
// RUN: %clang -O0 -flto -fpass-plugin=%plugin -c %s -o %t.o0.bc
// RUN: llvm-dis %t.o0.bc -o - | FileCheck %s
// RUN: opt -load-pass-plugin=%plugin -passes='thinlto<O2>' %t.thin.bc -S | FileCheck %s
// RUN: opt -load-pass-plugin=%plugin -passes='lto<O2>' %t.full.bc -S | FileCheck %s
// Intent: with LTO the compile step instruments, and a plugin that reaches the
// pipelines of the link step all the same changes nothing there.

// CHECK-LABEL: define {{.*}}@f(
// CHECK:         load volatile i32, ptr @__atsan_gate
// CHECK:         call void @__atsan_write4(
// CHECK-NOT:     load volatile
// CHECK-NOT:     call void @__atsan_write4(
// CHECK:         ret
__attribute__((used)) void f(int *p) { *p = 1; }
