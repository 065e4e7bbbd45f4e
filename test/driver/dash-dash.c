// RUN: %atsan_driver_clang -### -fsanitize=atomicity -o %t -- %s 2>&1 | FileCheck %s
// Intent: everything after "--" is an input; our options stay before it.

// CHECK-NOT: error:
// CHECK: "-fpass-plugin=
// CHECK-SAME: dash-dash.c"
// CHECK: libclang_rt.atomicity-x86_64.a"
