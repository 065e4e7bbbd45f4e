// RUN: %atsan_driver_clang -fsanitize=atomicity -O2 %s -o %t && %run %t
// RUN: llvm-objdump -d --disassemble-symbols=store_it %t | FileCheck %s
// RUN: %atsan_driver_clang -fsanitize=atomicity -O2 -flto=thin -fuse-ld=lld %s -o %t && %run %t
// RUN: llvm-objdump -d --disassemble-symbols=store_it %t | FileCheck %s
// RUN: %atsan_driver_clang -fsanitize=atomicity -O2 -flto -fuse-ld=lld -c %s -o %t.o
// RUN: %atsan_driver_clang -fsanitize=atomicity -O2 -flto -fuse-ld=lld %t.o -o %t && %run %t
// RUN: llvm-objdump -d --disassemble-symbols=store_it %t | FileCheck %s
// RUN: %atsan_driver_clang -fsanitize=atomicity -O2 -S -emit-llvm %s -o %t.ll
// RUN: %atsan_driver_clang -fsanitize=atomicity -O2 %t.ll -o %t && %run %t
// RUN: llvm-objdump -d --disassemble-symbols=store_it %t | FileCheck %s
// RUN: %atsan_driver_clang -fsanitize=atomicity -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %atsan_driver_clang -fsanitize=atomicity -O2 %t.ll -o %t && %run %t
// RUN: llvm-objdump -d --disassemble-symbols=store_it %t | FileCheck %s
// Intent: one store has one hook, whichever of the compile and link steps see
// the code as source or as bitcode.

__attribute__((noinline, used)) void store_it(int *p) { *p = 1; }

int main(void) {
  static int x;
  store_it(&x);
  return x - 1;
}

// CHECK: <store_it>:
// CHECK: <__atsan_write4
// CHECK-NOT: <__atsan_write4
