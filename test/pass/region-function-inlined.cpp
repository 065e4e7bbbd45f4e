// RUN: %clangxx -O0 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clangxx -O2 -fpass-plugin=%plugin -S -emit-llvm -o - %s | FileCheck --check-prefixes=CHECK,INLINED %s
// Intent: the marks of a region function are there before anything is inlined,
// so its caller has them at every optimization level, on the way of an
// exception too; the annotation keeps no copy of the function.

int shared;
void may_throw();

__attribute__((annotate("atsan_atomic"))) static inline void increment() {
  int v = shared;
  may_throw();
  shared = v + 1;
}

// CHECK: c"_ZL9incrementv\00"
// INLINED-NOT: define {{.*}}increment
// INLINED-LABEL: define {{.*}}@_Z4callv(
// INLINED:         call void @__atsan_region_begin(
// INLINED:         invoke void @_Z9may_throwv()
// INLINED:         landingpad
// INLINED-NEXT:      cleanup
// INLINED-NEXT:    call void @__atsan_region_end()
// INLINED-NEXT:    resume
// INLINED:         call void @__atsan_region_end()
// INLINED:         ret void
void call() { increment(); }
// CHECK: call void @__atsan_init_module(i32 1, i32 1)
