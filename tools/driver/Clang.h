//===- Clang.h --------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The clang that does the work: where it is and how this process becomes it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_DRIVER_CLANG_H
#define ATSAN_TOOLS_DRIVER_CLANG_H

#include "tools/driver/Invocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace atsan::driver {

struct Clang {
  std::string Path;
  /// The first argument that makes this binary a C or C++ driver; may be empty.
  std::string ModeArg;
};

/// \p Override is the value of ATSAN_CLANG and may be empty. Returns false and
/// sets \p Error if there is no such program.
bool findClang(llvm::StringRef Override, Language Lang, Clang &Result,
               std::string &Error);

/// The folder where \p Compiler keeps its own runtimes, as for -resource-dir.
std::string clangRuntimeDir(const Clang &Compiler,
                            const llvm::opt::ArgList &Args);

/// Becomes clang; returns an error message if that fails.
std::string execClang(const Clang &Compiler,
                      llvm::ArrayRef<std::string> Arguments);

} // namespace atsan::driver

#endif
