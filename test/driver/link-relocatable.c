// RUN: %atsan_driver_clang -### -fsanitize=atomicity -r %s -o %t.o 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -nostdlib -Wl,-r %s -o %t.o 2>&1 | FileCheck %s
// Intent: a relocatable object is linked again later; with the runtime in it,
// that link would have the runtime twice.

// CHECK: "-fpass-plugin=
// CHECK-NOT: libclang_rt.atomicity
// CHECK: "-r"
// CHECK-NOT: libclang_rt.atomicity
// CHECK-NOT: "-lpthread"
