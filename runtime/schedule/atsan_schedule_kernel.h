//===-- atsan_schedule_kernel.h ---------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of the kernel that sanitizer_common does not have.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_KERNEL_H
#define ATSAN_SCHEDULE_KERNEL_H

namespace __atsan {

// Without libc: its functions are intercepted, and change errno.
template <class A, class B, class C = long, class D = long, class E = long>
long CallKernel(long number, A a, B b, C c = {}, D d = {}, E e = {}) {
  long result;
  register long r10 asm("r10") = (long)d;  // Pointers and numbers.
  register long r8 asm("r8") = (long)e;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
               : "rcx", "r11", "memory");
  return result;
}

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_KERNEL_H
