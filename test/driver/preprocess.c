// RUN: %atsan_driver_clang -fsanitize=atomicity -Werror -E %s | FileCheck --check-prefix=ON %s
// RUN: %atsan_driver_clang -E %s | FileCheck --check-prefix=OFF %s
// RUN: %atsan_driver_clang -fsanitize=atomicity -Werror -E - < %s | FileCheck --check-prefix=ON %s
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -Werror -x c++ -M %s | FileCheck --check-prefix=DEPS %s
// RUN: %atsan_driver_clang -fsanitize=atomicity -Werror -MM -x c %s | FileCheck --check-prefix=DEPS %s
// RUN: %atsan_driver_clang -### -fsanitize=atomicity -E %s 2>&1 | FileCheck --check-prefix=ARGS %s
// What asks for the macro when it is preprocessed already gets it, too.
// RUN: %atsan_driver_clang -fsanitize=atomicity -Werror -E -frewrite-includes %s -o %t.i
// RUN: %atsan_driver_clang -fsanitize=atomicity -Werror -S -emit-llvm %t.i -o - | FileCheck --check-prefix=REWRITTEN %s
// REWRITTEN: @atomicity_is_on
// RUN: %atsan_driver_clang -S -emit-llvm %t.i -o - | FileCheck --check-prefix=OTHER %s
// OTHER: @atomicity_is_off
// Intent: the macro and the header exist while preprocessing only, too, and
// nothing is linked or instrumented then.

#ifdef __SANITIZE_ATOMICITY__
int atomicity_is_on;
#else
int atomicity_is_off;
#endif
// ON: int atomicity_is_on;
// OFF: int atomicity_is_off;
// DEPS: preprocess.c
// ARGS: "-D" "__SANITIZE_ATOMICITY__=1"
// ARGS-NOT: "-fpass-plugin=
// ARGS-NOT: libclang_rt
