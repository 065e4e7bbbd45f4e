//===- LibrarySynchronization.h -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which functions are synchronization, or reference counting, that the headers
// of the C++ library bring into the program. Synchronization is not data, so
// they are opted out. What the program builds from atomics itself is data, and
// operations on it are the code of the function that calls them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_SELECTION_LIBRARYSYNCHRONIZATION_H
#define ATSAN_PASS_SELECTION_LIBRARYSYNCHRONIZATION_H

#include "llvm/ADT/StringRef.h"

namespace atsan {

bool isLibrarySynchronization(llvm::StringRef LinkageName);
/// True for functions that count the owners of an object, as std::shared_ptr
/// does.
bool isReferenceCounter(llvm::StringRef LinkageName);
bool isAtomicOperation(llvm::StringRef LinkageName);

} // namespace atsan

#endif // ATSAN_PASS_SELECTION_LIBRARYSYNCHRONIZATION_H
