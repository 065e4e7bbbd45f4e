// RUN: %clang -O2 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// Intent: a call in tail position, of a mark or another function, leaves its
// function's frame on the stack, also in a function that opts out; but where
// the source demands a jump.

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
// CHECK:         notail call void @other()
void no_mark(void) { other(); }

// CHECK-LABEL: define {{.*}}@opted_out(
// CHECK:         notail call void @other()
__attribute__((annotate("atsan_no_sanitize"))) void opted_out(void) { other(); }

// CHECK-LABEL: define {{.*}}@jumps(
// CHECK:         musttail call void @other()
void jumps(void) { __attribute__((musttail)) return other(); }
