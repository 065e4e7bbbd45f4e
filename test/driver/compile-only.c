// RUN: %atsan_driver_clang -### -fsanitize=atomicity -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %atsan_driver_clangxx -### -fsanitize=atomicity -O2 -x c++ -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -O2 -emit-llvm -c %s -o %t.bc 2>&1 | FileCheck %s
// Intent: a compile step gets the plugin, frame pointers, the macro and the
// header, and nothing is linked. Clang never sees the name "atomicity".

// CHECK-NOT: "-fsanitize=
// CHECK: "-cc1"
// CHECK-SAME: "-mframe-pointer=all"
// CHECK-SAME: "-idirafter" "{{[^"]*}}/include"
// CHECK-SAME: "-D" "__SANITIZE_ATOMICITY__=1"
// CHECK-SAME: "-fpass-plugin={{[^"]*}}/lib/atsan/AtomicitySanitizer.so"
// CHECK-NOT: libclang_rt
// CHECK-NOT: --whole-archive
