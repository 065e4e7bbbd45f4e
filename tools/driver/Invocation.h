//===- Invocation.h ---------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiler command line as clang would understand it: parsed with clang's own
// option table, with the facts that the rewriter needs (what is compiled, what
// is linked and into what). Changes nothing and prints nothing.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_DRIVER_INVOCATION_H
#define ATSAN_TOOLS_DRIVER_INVOCATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Option/ArgList.h"
#include <string>

namespace atsan::driver {

enum class Language { C, CPlusPlus };

enum class Output {
  None,       ///< Nothing is linked.
  Executable, ///< Gets the runtime.
  Shared,     ///< Relies on the runtime of the executable.
  Relocatable ///< -r: an object file; linked again later.
};

struct Invocation {
  llvm::opt::InputArgList Args;
  /// The last option lacks its value. Clang reports that.
  bool Incomplete = false;
  /// Driver mode of clang-cl, flang or dxc, whose option syntax differs.
  std::string ForeignMode;
  /// Something is preprocessed: headers and macros matter.
  bool Preprocesses = false;
  /// A source is compiled that is preprocessed already. It may ask for macros
  /// yet (-frewrite-includes), but the driver gives it none by -D.
  bool CompilesPreprocessed = false;
  /// Something goes from source or IR to machine code or IR.
  bool GeneratesCode = false;
  /// A header or a module is compiled for others to use.
  bool Precompiles = false;
  /// Has inputs at all; queries such as --version have none.
  bool HasInputs = false;
  /// An input that is compiled for a GPU.
  std::string OffloadInput;
  Output Links = Output::None;
  /// -z defs: undefined symbols of a shared library are an error.
  bool ForbidsUndefined = false;
};

/// \p Argv is without the program name and has response files expanded.
Invocation parseInvocation(llvm::ArrayRef<const char *> Argv);

/// -shared-libsan in its last-one-wins family.
bool wantsSharedRuntime(const llvm::opt::ArgList &Args);

/// Whether to link a runtime: not with -fno-sanitize-link-runtime.
bool wantsLinkedRuntime(const llvm::opt::ArgList &Args);

} // namespace atsan::driver

#endif
