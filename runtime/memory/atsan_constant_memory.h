//===-- atsan_constant_memory.h ---------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code and constants of the executable: what its file maps without the right to
// write, or what the dynamic linker takes that right from after it has written
// addresses there (tables of functions, of C++'s virtual ones, too). Nothing
// conflicts with reading them, as the pass says of constant globals. The pass
// cannot say it of what is read through a pointer, and every thread would
// record that it read the same literal or table.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_CONSTANT_MEMORY_H
#define ATSAN_CONSTANT_MEMORY_H

#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __atsan {

using namespace __sanitizer;

struct ConstantMemory {
  uptr begin;
  uptr size;
};
extern ConstantMemory constant_memory;
void ConstantMemoryInit();

inline bool IsConstant(uptr addr, uptr size) {
  uptr offset = addr - constant_memory.begin;
  return offset < constant_memory.size && size <= constant_memory.size - offset;
}

}  // namespace __atsan

#endif  // ATSAN_CONSTANT_MEMORY_H
