// RUN: %atsan_driver_clang -### -fsanitize=atomicity -O2 -fomit-frame-pointer -momit-leaf-frame-pointer -c %s 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -O2 -fomit-frame-pointer -c %s 2>&1 | FileCheck --check-prefix=PLAIN %s
// Intent: the runtime unwinds by frame pointers, so the user cannot turn them
// off while the sanitizer is on.

// CHECK: "-mframe-pointer=all"
// PLAIN: "-mframe-pointer=none"
