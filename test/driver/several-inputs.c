// RUN: touch %t.o
// RUN: %atsan_driver_clangxx -### -fsanitize=atomicity %s %t.o -x c++ %s -o %t 2>&1 | FileCheck %s
// Intent: sources of two languages and an object in one command: each source
// is instrumented once, the runtime is linked once.

// CHECK-COUNT-2: "-fpass-plugin=
// CHECK-NOT: "-fpass-plugin=
// CHECK: libclang_rt.atomicity-x86_64.a"
// CHECK-NOT: libclang_rt.atomicity-x86_64.a"
// CHECK-SAME: -lstdc++
