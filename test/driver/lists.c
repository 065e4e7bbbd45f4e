// RUN: %atsan_driver_clang -### -fsanitize=null,atomicity,bounds -fsanitize-trap=null,bounds -c %s 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fsanitize=null -fsanitize-trap=undefined -c %s 2>&1 | FileCheck --check-prefix=SINGLE %s
// RUN: not %atsan_driver_clang -fsanitize=atomicity,nonsense -c %s -o %t.o 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not %atsan_driver_clang -fsanitize=atomicity,all -c %s -o %t.o 2>&1 | FileCheck --check-prefix=ALL %s
// Intent: only the name "atomicity" leaves the list; everything else reaches
// clang, wrong names included.

// CHECK: "-cc1"
// CHECK-DAG: "-fpass-plugin=
// CHECK-DAG: "-fsanitize={{[^"]*}}array-bounds,{{[^"]*}}null{{[^"]*}}"
// SINGLE-DAG: "-fsanitize=null"
// SINGLE-DAG: "-fpass-plugin=
// UNKNOWN: error: unsupported argument 'nonsense' to option '-fsanitize='
// ALL: error: unsupported argument 'all' to option '-fsanitize='
