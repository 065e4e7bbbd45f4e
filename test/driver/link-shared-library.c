// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared -fPIC %s -o %t.so 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared -fPIC -Wl,-z,defs %s -o %t.so 2>&1 | FileCheck --check-prefixes=CHECK,DEFS %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fPIC -Wl,-shared %s -o %t.so 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fPIC -Xlinker -Bshareable %s -o %t.so 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared %s -o %t.so 2>&1 | FileCheck --check-prefixes=CHECK,PIC %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared -fpic %s -o %t.so 2>&1 | FileCheck --check-prefixes=CHECK,SAID %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity %s -o %t 2>&1 | FileCheck --check-prefix=EXECUTABLE %s
// Intent: a shared library is instrumented and uses the runtime of the
// executable. -z defs stays as it is, as with clang's own sanitizers. What is
// compiled and linked at once is compiled for a library, unless it says how.
// PIC: "-pic-level" "2"
// PIC-NOT: "-pic-is-pie"
// SAID: "-pic-level" "1"
// EXECUTABLE: "-pic-is-pie"

// CHECK: "-fpass-plugin=
// CHECK-NOT: libclang_rt.atomicity
// CHECK: "{{([^"]*/)?}}ld{{[^"/]*}}"
// CHECK-NOT: --dynamic-list
// DEFS-SAME: "-z" "defs"
// CHECK-NOT: libclang_rt.atomicity
