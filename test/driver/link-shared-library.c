// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared -fPIC %s -o %t.so 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared -fPIC -Wl,-z,defs %s -o %t.so 2>&1 | FileCheck --check-prefixes=CHECK,DEFS %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fPIC -Wl,-shared %s -o %t.so 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fPIC -Xlinker -Bshareable %s -o %t.so 2>&1 | FileCheck %s
// Intent: a shared library is instrumented and uses the runtime of the
// executable. -z defs stays as it is, as with clang's own sanitizers.

// CHECK: "-fpass-plugin=
// CHECK-NOT: libclang_rt.atomicity
// CHECK: "{{([^"]*/)?}}ld{{[^"/]*}}"
// CHECK-NOT: --dynamic-list
// DEFS-SAME: "-z" "defs"
// CHECK-NOT: libclang_rt.atomicity
