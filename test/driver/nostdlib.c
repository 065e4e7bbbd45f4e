// RUN: %atsan_driver_clang -### -fsanitize=atomicity -nostdlib %s -o %t 2>&1 | FileCheck --check-prefixes=CHECK,NOLIBS %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -nodefaultlibs %s -o %t 2>&1 | FileCheck --check-prefixes=CHECK,NOLIBS %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -nostartfiles %s -o %t 2>&1 | FileCheck --check-prefixes=CHECK,LIBS %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fno-sanitize-link-runtime %s -o %t 2>&1 | FileCheck --check-prefix=NORUNTIME %s
// Intent: as clang does for its sanitizers: the runtime is linked in any case,
// its libraries not with -nostdlib, and -fno-sanitize-link-runtime is obeyed.

// CHECK: "--whole-archive" "{{[^"]*}}libclang_rt.atomicity-x86_64.a"
// LIBS-SAME: "-lpthread"
// NOLIBS-NOT: "-lpthread"
// NORUNTIME: "-fpass-plugin=
// NORUNTIME-NOT: libclang_rt.atomicity
