// RUN: %atsan_driver_clang -fsanitize=atomicity -Weverything -Werror -E %s -o %t.i
// RUN: %atsan_driver_clang -fsanitize=atomicity -Weverything -Werror -M %s -o %t.d
// RUN: %atsan_driver_clang -fsanitize=atomicity -Weverything -Werror -fsyntax-only %s
// RUN: %atsan_driver_clang -fsanitize=atomicity -Weverything -Werror -S %s -o %t.s
// RUN: %atsan_driver_clang -fsanitize=atomicity -Weverything -Werror -c %s -o %t.o
// RUN: %atsan_driver_clang -fsanitize=atomicity -Wall -Wextra -Werror -c %t.i -o %t.o
// RUN: %atsan_driver_clang -fsanitize=atomicity -Weverything -Werror -c %t.s -o %t.o
// RUN: %atsan_driver_clang -fsanitize=atomicity -Weverything -Werror -c %s -o %t.o -shared-libsan -fno-sanitize-link-runtime
// RUN: %atsan_driver_clang -fsanitize=atomicity -Weverything -Werror -shared %t.o -o %t.so
// RUN: %atsan_driver_clang -fsanitize=atomicity -Weverything -Werror -r %t.o -o %t2.o
// RUN: not %atsan_driver_clang -fsanitize=atomicity -Werror -c %s -o %t.o -lfoo 2>&1 | FileCheck %s
// Intent: our additions never make clang complain, the user's still do.

static int unused_warnings(void) { return 0; }
int use(void);
int use(void) { return unused_warnings(); }
// CHECK: error: -lfoo: 'linker' input unused
