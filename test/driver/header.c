// RUN: %atsan_driver_clang -fsanitize=atomicity -Wall -Wextra -Werror -fsyntax-only %s
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -Werror -x c++ -fsyntax-only %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -fsyntax-only %s 2>&1 | FileCheck %s
// Intent: the interface header is found in every case, standard headers are
// searched in their usual order before ours.

#include <sanitizer/atsan_interface.h>
#include <stddef.h>

extern size_t declared;

// CHECK: "-idirafter" "{{[^"]*}}/include"
// CHECK-NOT: "-fpass-plugin=
