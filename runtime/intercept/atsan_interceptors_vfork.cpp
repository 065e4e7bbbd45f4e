//===-- atsan_interceptors_vfork.cpp --------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// vfork returns twice, on one stack: what the child puts there, where frames
// of the parent's call were, the parent finds. So the system call is made here,
// with all that the parent needs behind it in registers that the kernel keeps,
// as libc does with its return address.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/threads/atsan_vfork.h"

using namespace __atsan;

extern "C" __attribute__((naked)) int WRAP(vfork)();

ATSAN_INTERCEPTOR_ALONE(int, vfork) {
  asm volatile(
      "endbr64\n\t"
      "pushq %rcx\n\t"  // Aligns the stack.
      "callq atsan_vfork_begins\n\t"
      "popq %rcx\n\t"
      "movq %rax, %rsi\n\t"  // VforkParent: %rsi and %rdx.
      "popq %rdi\n\t"        // The return address.
      "movl $58, %eax\n\t"   // SYS_vfork
      "syscall\n\t"
      "pushq %rdi\n\t"
      "pushq %rcx\n\t"
      "movq %rax, %rdi\n\t"
      "callq atsan_vfork_returns\n\t"
      "popq %rcx\n\t"
      // A shadow stack is the parent's, too. The child leaves the return
      // address there, which it may not overwrite, and jumps.
      "testl %eax, %eax\n\t"
      "jnz 1f\n\t"
      "xorl %ecx, %ecx\n\t"
      "rdsspq %rcx\n\t"  // No effect without such a stack.
      "testq %rcx, %rcx\n\t"
      "jz 1f\n\t"
      "popq %rdi\n\t"
      "jmpq *%rdi\n"
      "1:\n\t"
      "retq");
}
