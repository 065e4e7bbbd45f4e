// RUN: %atsan_driver_clang -### -fno-sanitize=atomicity -fsanitize=atomicity -c %s 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %atsan_driver_clang -### -fno-sanitize=all -fsanitize=atomicity -c %s 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fno-sanitize=atomicity -c %s 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fno-sanitize=all -c %s 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fno-sanitize=undefined,atomicity -c %s 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: %atsan_driver_clang -### -fsanitize=thread,atomicity -fno-sanitize=thread -c %s 2>&1 | FileCheck --check-prefix=ON %s
// RUN: %atsan_driver_clang -### -fsanitize=thread,atomicity -fno-sanitize=atomicity -c %s 2>&1 | FileCheck --check-prefix=THREAD %s
// Intent: options count from left to right, in lists and with "all" too.

// ON: "-fpass-plugin=
// OFF-NOT: error:
// OFF: "-cc1"
// OFF-NOT: "-fpass-plugin=
// THREAD: "-cc1"
// THREAD-NOT: "-fpass-plugin=
// THREAD: "-fsanitize=thread"
// THREAD-NOT: "-fpass-plugin=
