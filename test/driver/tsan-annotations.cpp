// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-tsan-annotations -Werror -fsyntax-only -DTOLD %s
// Intent: with one option, code is read as if ThreadSanitizer was on, and
// nothing is instrumented for it: by each language, in each step of a
// compilation, and only where our sanitizer is on.
// RUN: %atsan_driver_clang -fsanitize=atomicity -fatomicity-tsan-annotations -Werror -fsyntax-only -DTOLD -x c %s
// RUN: %atsan_driver_clang -fsanitize=atomicity -fatomicity-tsan-annotations -Werror -E -P -DTOLD -x assembler-with-cpp %s -o %t.s
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -Werror -fsyntax-only %s
// RUN: %atsan_driver_clangxx -fatomicity-tsan-annotations -Werror -fsyntax-only %s
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-tsan-annotations -fno-sanitize=atomicity -Werror -fsyntax-only %s
//
// RUN: for level in -O0 -O2 "-O2 -flto" "-O0 -flto=thin"; do %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-tsan-annotations $level -Werror -DTOLD -S -emit-llvm %s -o - | FileCheck --check-prefix=CODE %s || exit 1; done
// CODE-NOT: __tsan
// CODE-NOT: @tsan.
// CODE: call void @__atsan_write4
// CODE-NOT: __tsan
// CODE-NOT: @tsan.
//
// Preprocessed here, compiled there, linked at last.
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-tsan-annotations -Werror -DTOLD -E %s -o %t.ii
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-tsan-annotations -Werror -c %t.ii -o %t.o
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-tsan-annotations -Werror %t.o -o %t && %t
// RUN: llvm-nm %t.o | FileCheck --implicit-check-not=__tsan --implicit-check-not=" tsan." --check-prefix=OBJECT %s
// OBJECT: __atsan_write4
//
// Where a compilation has several jobs, those of IR do not instrument either,
// nor those of assembly.
// RUN: rm -rf %t.dir && mkdir %t.dir && cd %t.dir
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-tsan-annotations -Werror -DTOLD -save-temps -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck --implicit-check-not=__tsan --implicit-check-not=" tsan." --check-prefix=OBJECT %s
// RUN: echo 'int other() { return 0; }' > other.cpp && %atsan_driver_clangxx -S -emit-llvm other.cpp -o ir.ll && echo 'f: ret' > asm.S
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-tsan-annotations -Werror -c other.cpp ir.ll asm.S
// RUN: llvm-nm other.o ir.o asm.o | FileCheck --implicit-check-not=__tsan --implicit-check-not=" tsan." --check-prefix=SEVERAL %s
// SEVERAL-COUNT-2: T _Z5otherv
//
// A module that is compiled on the way fits to who imports it.
// RUN: echo 'module m { header "m.h" export * }' > module.modulemap && echo 'static inline int in_module(void) { return 0; }' > m.h
// RUN: echo '#include "m.h"' > user.c && echo 'int main(void) { return in_module(); }' >> user.c
// RUN: %atsan_driver_clang -fsanitize=atomicity -fatomicity-tsan-annotations -Werror -fmodules -fmodules-cache-path=cache -fmodule-map-file=module.modulemap user.c -o user && ./user
//
// A header that is precompiled fits to sources of the same option only.
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-tsan-annotations -Werror -DTOLD -x c++-header %s -o %t.pch
// RUN: echo 'int f() { return counter + asked; }' > %t.user.cpp
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fatomicity-tsan-annotations -Werror -DTOLD -include-pch %t.pch -S -emit-llvm %t.user.cpp -o - | FileCheck --check-prefix=USER --implicit-check-not=__tsan --implicit-check-not=@tsan. %s
// USER: call void @__atsan_read4
// RUN: not %atsan_driver_clangxx -fsanitize=atomicity -DTOLD -include-pch %t.pch -c %t.user.cpp -o %t.o
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#if defined(TOLD)
#if !__has_feature(thread_sanitizer) || !__SANITIZE_THREAD__
#error not told
#endif
#elif __has_feature(thread_sanitizer) || defined(__SANITIZE_THREAD__)
#error told
#endif

#ifndef __ASSEMBLER__
int counter;
#ifdef __cplusplus
inline int asked = 0;
#endif
int main(void) {
  counter++;
  return 0;
}
#endif
