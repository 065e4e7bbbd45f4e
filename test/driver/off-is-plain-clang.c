// RUN: %atsan_driver_clang -### %s -o %t 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=thread %s -o %t 2>&1 | FileCheck --check-prefixes=CHECK,TSAN %s
// RUN: %atsan_driver_clang -dM -E %s | FileCheck --check-prefix=MACRO %s
// RUN: %clang -### -O2 -Wall -c %s -o %t.o 2> %t.clang
// RUN: %atsan_driver_clang -### -O2 -Wall -c %s -o %t.o 2> %t.driver
// RUN: sed 's| "-idirafter" "[^"]*/include"||' %t.driver | diff %t.clang -
// RUN: %clangxx -### -x c++ -c %s -o %t.o 2> %t.clang
// RUN: %atsan_driver_clangxx -### -fsanitize=atomicity -fno-sanitize=atomicity -x c++ -c %s -o %t.o 2> %t.driver
// RUN: sed 's| "-idirafter" "[^"]*/include"||' %t.driver | diff %t.clang -
// RUN: %clang -### -nostdinc -c %s -o %t.o 2> %t.clang
// RUN: %atsan_driver_clang -### -nostdinc -c %s -o %t.o 2> %t.driver
// RUN: diff %t.clang %t.driver
// Intent: without the option nothing is added but where the headers of the
// marks are, after all others; and other sanitizers work.

// CHECK-NOT: atomicity
// CHECK-NOT: ATOMICITY
// CHECK-NOT: AtomicitySanitizer
// CHECK: "-cc1"
// CHECK-NOT: -fpass-plugin
// CHECK-SAME: "-idirafter" "{{[^"]*}}/include"
// CHECK-NOT: atomicity
// CHECK: "{{([^"]*/)?}}ld{{[^"/]*}}"
// TSAN-SAME: libclang_rt.tsan
// CHECK-NOT: atomicity

// MACRO-NOT: __SANITIZE_ATOMICITY__
