//===- Options.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options of the pass: for the drivers, and for people who look at its work.
// clang knows them (as -mllvm options) only if the plugin is also given to it
// as
// `-Xclang -load -Xclang AtomicitySanitizer.so`.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_PASS_BASE_OPTIONS_H
#define ATSAN_PASS_BASE_OPTIONS_H

#include "llvm/Support/CommandLine.h"

namespace atsan {

/// Print the counters after each module.
extern llvm::cl::opt<bool> PrintStats;

/// Off for measurements and tests. Report whole loops at once where that is
/// exact, and neighbouring words; leave memory of one thread alone.
extern llvm::cl::opt<bool> LoopHooks;
extern llvm::cl::opt<bool> RunHooks;
extern llvm::cl::opt<bool> FindPrivateMemory;

extern llvm::cl::opt<bool> WeakGlobals;

/// Give functions a second body for controlled schedules.
extern llvm::cl::opt<bool> Schedule;

/// The options that the drivers pass on (named in docs/options.md): each value
/// of -fatomicity-regions, and files.
extern llvm::cl::list<std::string> RegionModes;
extern llvm::cl::list<std::string> ExcludeFiles;
extern llvm::cl::list<std::string> IgnorelistFiles;

/// Memory intrinsics of a constant size up to this stay inline code.
extern llvm::cl::opt<unsigned> MaxInlineBytes;

} // namespace atsan

#endif // ATSAN_PASS_BASE_OPTIONS_H
