// RUN: not %atsan_driver_clang -fsanitize=atomicity,undefined -static-libsan %s -o %t 2>&1 | FileCheck %s
// RUN: not %atsan_driver_clang -fsanitize=atomicity -static-libsan -fsanitize=signed-integer-overflow -fsanitize-trap=null %s -o %t 2>&1 | FileCheck %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity,undefined %s -o %t 2>&1 | FileCheck --check-prefix=SHARED %s
// RUN: %atsan_driver_clang -fsanitize=atomicity,undefined %s -o %t && %run %t
// RUN: %atsan_driver_clang -### -fsanitize=atomicity,undefined -fsanitize-trap=undefined %s -o %t 2>&1 | FileCheck --check-prefix=TRAP %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity,undefined -fsanitize-trap %s -o %t 2>&1 | FileCheck --check-prefix=TRAP %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity,undefined -fsanitize-minimal-runtime %s -o %t 2>&1 | FileCheck --check-prefix=MINIMAL %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity,undefined -c %s 2>&1 | FileCheck --check-prefix=COMPILE %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity,undefined -shared -fPIC %s -o %t 2>&1 | FileCheck --check-prefix=TRAP %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fsanitize-coverage=trace-pc-guard %s -o %t 2>&1 | FileCheck --check-prefix=COVERAGE %s
// Intent: an executable with both gets both shared runtimes. Who asks for two
// static ones is refused, and every way that works is named; those ways,
// compiling, and shared libraries are accepted.

// SHARED: libclang_rt.atomicity-x86_64.so"
// SHARED-NOT: libclang_rt.ubsan_standalone{{[^"]*}}.a"
// CHECK: atsan-clang: error: the static runtime of '-fsanitize=undefined' {{.*}}'-fsanitize-trap=undefined' or '-fsanitize-minimal-runtime' {{.*}}without '-static-libsan'
// TRAP: "-fpass-plugin=
// TRAP-NOT: libclang_rt.ubsan
// MINIMAL: "--whole-archive" "{{[^"]*}}libclang_rt.ubsan_minimal
// MINIMAL: libclang_rt.atomicity-x86_64.a"
// COMPILE: "-fsanitize={{[^"]*}}null
// COVERAGE-NOT: libclang_rt.ubsan
// COVERAGE: libclang_rt.atomicity-x86_64.a"
// COVERAGE-NOT: libclang_rt.ubsan

int main(int Argc, char **Argv) { return Argc + !Argv - 1; }
