// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// Intent: a mark in tail position leaves its function's frame on the stack.

void __atomic_begin(void);
void __atomic_end(void);
void other(void);

// CHECK-LABEL: define {{.*}}@enter(
// CHECK:         notail call void @__atomic_begin()
void enter(void) { __atomic_begin(); }

// CHECK-LABEL: define {{.*}}@leave(
// CHECK:         notail call void @__atomic_end()
void leave(void) { __atomic_end(); }

// CHECK-LABEL: define {{.*}}@no_mark(
// CHECK:         {{^ *}}tail call void @other()
void no_mark(void) { other(); }
