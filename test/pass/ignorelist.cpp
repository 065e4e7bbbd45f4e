// RUN: rm -rf %t && mkdir %t && cp %s %t/main.cpp
// RUN: echo 'inline int from_header(int *p) { return *p; }' > %t/header.h
// Intent: -fsanitize-ignorelist says what is not instrumented, by function,
// source and main file; its sections of other sanitizers do not concern us.
//
// RUN: printf '[atomicity]\nfun:_Z4listPi\n[thread]\nfun:_Z4kept*\n[address|thread]\nsrc:*\n' > %t/fun
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fsanitize-ignorelist=%t/fun -O1 -S -emit-llvm %t/main.cpp -o - | FileCheck --check-prefixes=CHECK,LISTED %s
// RUN: printf 'fun:_Z4listPi\n' > %t/any
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fsanitize-ignorelist=%t/any -O1 -S -emit-llvm %t/main.cpp -o - | FileCheck --check-prefixes=CHECK,LISTED %s
// RUN: printf '[atom*]\nsrc:*/header.h\n' > %t/src
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fsanitize-ignorelist=%t/src -O1 -g -S -emit-llvm %t/main.cpp -o - | FileCheck --check-prefixes=CHECK,HEADER %s
// RUN: printf '[atomicity]\nmainfile:*main.cpp\n' > %t/main
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fsanitize-ignorelist=%t/main -O1 -S -emit-llvm %t/main.cpp -o - | FileCheck --check-prefixes=CHECK,LISTED,HEADER,MAIN %s
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fsanitize-ignorelist=%t/main -O1 -g -S -emit-llvm %t/main.cpp -o - | FileCheck --check-prefixes=CHECK,LISTED,HEADER,MAIN %s
// The twin: all of it is instrumented otherwise.
// RUN: printf '[atomicity]\nfun:list\nsrc:main.cpp\n' > %t/none
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fsanitize-ignorelist=%t/none -O1 -S -emit-llvm %t/main.cpp -o - | FileCheck --check-prefixes=CHECK,ALL %s
// RUN: %atsan_driver_clangxx -fsanitize=atomicity -fsanitize-ignorelist=%t/main -fno-sanitize-ignorelist -O1 -S -emit-llvm %t/main.cpp -o - | FileCheck --check-prefixes=CHECK,ALL %s

#include "header.h"

// CHECK-LABEL: define {{.*}}@_Z4listPi(
// LISTED-NOT:    __atsan
// ALL:           __atsan_read4
// CHECK:         ret
int list(int *p) { return *p; }

// CHECK-LABEL: define {{.*}}@_Z4keptPi(
// MAIN-NOT:      __atsan
// ALL:           __atsan_read4
// CHECK:         ret
int kept(int *p) { return *p; }

// CHECK-LABEL: define {{.*}}@_Z11from_headerPi(
// HEADER-NOT:    __atsan
// ALL:           __atsan_read4
// CHECK:         ret
auto *use = &from_header;
