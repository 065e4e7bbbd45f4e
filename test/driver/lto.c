// RUN: %atsan_driver_clang -### -fsanitize=atomicity -O2 -flto=thin -fuse-ld=lld %s -o %t 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -O2 -flto -fuse-ld=lld %s -o %t 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -O2 -x ir -fthinlto-index=%t.idx -c %s -o %t.o 2>&1 | FileCheck --check-prefix=BACKEND %s
// Intent: the plugin runs when compiling and never again when bitcode is
// linked, neither in the linker nor in a distributed ThinLTO back end.

// CHECK: "-fpass-plugin={{[^"]*}}AtomicitySanitizer.so"
// CHECK: ld.lld"
// CHECK-NOT: AtomicitySanitizer.so
// BACKEND: "-cc1"
// BACKEND-NOT: AtomicitySanitizer.so
