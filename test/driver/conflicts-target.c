// RUN: not %atsan_driver_clang -fsanitize=atomicity -m32 -c %s 2>&1 | FileCheck --check-prefix=BITS %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -m32 -m64 -c %s
// RUN: not %atsan_driver_clang -fsanitize=atomicity --target=aarch64-linux-gnu -c %s 2>&1 | FileCheck --check-prefix=TARGET %s
// RUN: not %atsan_driver_clang -fsanitize=atomicity -target x86_64-apple-darwin -c %s 2>&1 | FileCheck --check-prefix=TARGET %s
// RUN: not %atsan_driver_clang -fsanitize=atomicity --target=x86_64-linux-musl -c %s 2>&1 | FileCheck --check-prefix=TARGET %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity --target=x86_64-linux-gnu -c %s
// RUN: %atsan_driver_clang -### --target=aarch64-linux-gnu -c %s
// RUN: not %atsan_driver_clang -fsanitize=atomicity -static %s -o %t 2>&1 | FileCheck --check-prefix=STATIC -DNAME=-static %s
// RUN: not %atsan_driver_clang -fsanitize=atomicity -static-pie %s -o %t 2>&1 | FileCheck --check-prefix=STATIC -DNAME=-static-pie %s
// RUN: not %atsan_driver_clang -fsanitize=atomicity -x cuda -c %s 2>&1 | FileCheck --check-prefix=GPU %s
// RUN: not %atsan_driver_clang -fsanitize=atomicity --driver-mode=cl %s 2>&1 | FileCheck --check-prefix=MODE %s
// Intent: only x86-64 Linux with glibc, linked dynamically.

// BITS: atsan-clang: error: '-fsanitize=atomicity' is not supported with '-m32': only x86_64-linux-gnu
// TARGET: atsan-clang: error: '-fsanitize=atomicity' is not supported for target '{{.+}}': only x86_64-linux-gnu
// STATIC: atsan-clang: error: '[[NAME]]' is not supported with '-fsanitize=atomicity': {{.*}}remove '[[NAME]]'
// GPU: atsan-clang: error: '-fsanitize=atomicity' is not supported for the GPU source
// MODE: atsan-clang: error: '-fsanitize=atomicity' is not supported with '--driver-mode=cl'
