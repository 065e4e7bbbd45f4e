// RUN: %atsan_driver_clang -### -fsanitize=atomicity %s -lfoo -o %t 2>&1 | FileCheck --check-prefixes=COMPILE,LINK %s
// RUN: touch %t.o
// RUN: %atsan_driver_clang -### -fsanitize=atomicity %t.o -lfoo -o %t 2>&1 | FileCheck --check-prefixes=ONLY,LINK %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -lfoo -o %t 2>&1 | FileCheck --check-prefix=LIBS %s
// Intent: compile-and-link and link-only. The whole runtime and its export
// list come before inputs and user libraries, system libraries after them;
// the linker never sees the plugin.

// COMPILE: "-fpass-plugin={{[^"]*}}AtomicitySanitizer.so"
// ONLY-NOT: "-cc1"
// LINK: "{{([^"]*/)?}}ld{{[^"/]*}}"
// LINK-NOT: AtomicitySanitizer.so
// LINK-SAME: "--whole-archive" "{{[^"]*}}/lib/atsan/libclang_rt.atomicity-x86_64.a" "--no-whole-archive"
// LINK-SAME: "--dynamic-list={{[^"]*}}/lib/atsan/libclang_rt.atomicity-x86_64.a.syms"
// LINK-SAME: .o" "-lfoo"
// LINK-SAME: "--no-as-needed" "-lpthread" "-ldl" "-lrt" "-lm" "--pop-state"
// LINK-NOT: AtomicitySanitizer.so

// LIBS: "--whole-archive" "{{[^"]*}}libclang_rt.atomicity-x86_64.a"
// LIBS-SAME: "-lfoo"
