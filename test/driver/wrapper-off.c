// RUN: env ATSAN_WRAPPER=off %atsan_driver_clang -### -fsanitize=atomicity,null %s -o %t 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: env ATSAN_WRAPPER=off %atsan_driver_clang -### -fsanitize=atomicity,thread -static %s -o %t 2>&1 | FileCheck --check-prefix=NOCONFLICT %s
// RUN: env ATSAN_WRAPPER=on %atsan_driver_clang -### -fsanitize=atomicity %s -o %t 2>&1 | FileCheck --check-prefix=ON %s
// RUN: not env ATSAN_WRAPPER=perhaps %atsan_driver_clang -fsanitize=atomicity %s -o %t 2>&1 | FileCheck --check-prefix=BAD %s
// Intent: the switch for odd configure steps makes the driver plain clang; a
// value that means nothing is not ignored.

// OFF-NOT: error:
// OFF: "-fsanitize=null"
// OFF-NOT: atomicity
// NOCONFLICT-NOT: atsan-clang: error:
// NOCONFLICT: "-cc1"
// ON: libclang_rt.atomicity-x86_64.a"
// BAD: atsan-clang: error: environment variable ATSAN_WRAPPER has the unknown value 'perhaps'; use 'on' or 'off'
