// RUN: %atsan_driver_clang -fsanitize=atomicity,fuzzer-no-link %s -o %t "$(%clang -print-file-name=libclang_rt.fuzzer-x86_64.a)" -lstdc++
// RUN: %run %t -runs=10 2>&1 | FileCheck %s
// Intent: the way to libFuzzer that the error message for -fsanitize=fuzzer
// names works.

#include <stddef.h>

int LLVMFuzzerTestOneInput(const unsigned char *Data, size_t Size) {
  return Size > 3 && Data[0] == 'x' ? 0 : 0;
}

// CHECK: Done 10 runs
