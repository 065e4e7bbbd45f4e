// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared -fPIC %s -o %t.so 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared -fPIC -Wl,-z,defs %s -o %t.so 2>&1 | FileCheck --check-prefixes=CHECK,DEFS %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fPIC -Wl,-shared %s -o %t.so 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fPIC -Xlinker -Bshareable %s -o %t.so 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared %s -o %t.so 2>&1 | FileCheck --check-prefixes=CHECK,PIC %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared -fpic %s -o %t.so 2>&1 | FileCheck --check-prefixes=CHECK,SAID %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity %s -o %t 2>&1 | FileCheck --check-prefix=EXECUTABLE %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared -fPIC -Wl,--no-undefined %s -o %t.so 2>&1 | FileCheck --check-prefix=UNDEFS %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared -fPIC -Xlinker -zdefs %s -o %t.so 2>&1 | FileCheck --check-prefix=UNDEFS %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared -fPIC -z defs %s -o %t.so 2>&1 | FileCheck --check-prefix=UNDEFS %s
// UNDEFS: "-z" "undefs"
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared -fPIC -Wl,-z,defs,-z,undefs,--no-undefined-version %s -o %t.so 2>&1 | FileCheck --check-prefix=ONE %s
// ONE: "-z" "undefs"
// ONE-NOT: "-z" "undefs"
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -shared-libsan -shared -fPIC -Wl,-z,defs %s -o %t.so 2>&1 | FileCheck --check-prefix=STAYS %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -Wl,-z,defs %s -o %t 2>&1 | FileCheck --check-prefix=STAYS %s
// RUN: %atsan_driver_clang -### -shared -fPIC -Wl,-z,defs %s -o %t.so 2>&1 | FileCheck --check-prefix=STAYS %s
// STAYS: "-z" "defs"
// STAYS-NOT: undefs
// Intent: a shared library is instrumented and uses the runtime of the
// executable, which -z defs and Meson's --no-undefined would forbid. What is
// compiled and linked at once is compiled for a library, unless it says how.
// PIC: "-pic-level" "2"
// PIC-NOT: "-pic-is-pie"
// SAID: "-pic-level" "1"
// EXECUTABLE: "-pic-is-pie"

// CHECK: "-fpass-plugin=
// CHECK-NOT: libclang_rt.atomicity
// CHECK: "{{([^"]*/)?}}ld{{[^"/]*}}"
// CHECK-NOT: --dynamic-list
// DEFS-SAME: "-z" "defs"{{.*}} "-z" "undefs"
// CHECK-NOT: libclang_rt.atomicity
