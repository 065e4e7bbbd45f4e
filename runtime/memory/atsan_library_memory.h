//===-- atsan_library_memory.h ----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory of the C++ library itself: its variables, among them tables of the
// classic locale, and the standard streams (std::cout and the others). As
// stdio's streams, these are none of the program's data. Functions that are
// inlined into the program access it nevertheless.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_LIBRARY_MEMORY_H
#define ATSAN_LIBRARY_MEMORY_H

namespace __atsan {

// Finds it. Again when another module was loaded.
void LibraryMemoryInit();
// libstdc++'s standard streams have got buffers.
void LibraryMemoryOfStreams();

}  // namespace __atsan

#endif  // ATSAN_LIBRARY_MEMORY_H
