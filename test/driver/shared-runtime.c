// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared-libsan %s -o %t 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared-libsan -shared -fPIC %s -o %t.so 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared-libsan -static-libsan %s -o %t 2>&1 | FileCheck --check-prefix=STATIC %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity,undefined -shared-libsan %s -o %t 2>&1 | FileCheck --check-prefix=UBSAN %s
// Intent: -shared-libsan links executables and libraries against the shared
// runtime and lets them find it. Clang's shared UBSan runtime can be beside it
// and gets an rpath too, which clang leaves out.

// CHECK: "-fpass-plugin=
// CHECK-NOT: libclang_rt.atomicity-x86_64.a"
// CHECK: "--no-as-needed" "{{[^"]*}}/lib/atsan/libclang_rt.atomicity-x86_64.so"
// CHECK-SAME: "-rpath" "{{[^"]*}}/lib/atsan"
// CHECK-NOT: libclang_rt.atomicity-x86_64.a"

// STATIC: libclang_rt.atomicity-x86_64.a"
// STATIC-NOT: libclang_rt.atomicity-x86_64.so"

// UBSAN: "-fsanitize=alignment,
// UBSAN: "[[DIR:[^"]*]]/libclang_rt.ubsan_standalone-x86_64.so"
// UBSAN-SAME: "-rpath" "[[DIR]]"
