//===- Options.cpp --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All options of the pass.
//
//===----------------------------------------------------------------------===//

#include "pass/base/Options.h"

using namespace llvm;

namespace atsan {

cl::opt<bool>
    PrintStats("atsan-print-stats",
               cl::desc("Print what the atsan pass instrumented and skipped"),
               cl::init(false), cl::Hidden);

cl::opt<bool> LoopHooks(
    "atsan-loop-hooks",
    cl::desc("Report the accesses of whole loops at once where that is exact"),
    cl::init(true), cl::Hidden);

cl::opt<bool>
    RunHooks("atsan-run-hooks",
             cl::desc("Report accesses to neighbouring words at once"),
             cl::init(true), cl::Hidden);

cl::opt<bool> FindPrivateMemory(
    "atsan-private-memory",
    cl::desc("Do not report accesses to memory that stays with its thread"),
    cl::init(true), cl::Hidden);

cl::opt<bool>
    WeakGlobals("atsan-weak-globals",
                cl::desc("Keep the optimizer from knowing that memory exists"),
                cl::init(true), cl::Hidden);

cl::opt<bool> Schedule(
    "atsan-schedule",
    cl::desc("Give each function a second body that runs while schedules are "
             "controlled"),
    cl::init(false), cl::Hidden);

// 128 is the most that x86-64 code generation copies without a call.
cl::opt<unsigned> MaxInlineBytes(
    "atsan-max-inline-bytes",
    cl::desc("Largest constant size of a memory intrinsic that stays inline"),
    cl::init(128), cl::Hidden);

cl::list<std::string>
    RegionModes("atsan-regions",
                cl::desc("Regions beyond those of the source: exported, "
                         "critical-sections or list:FILE"),
                cl::Hidden);

cl::list<std::string>
    ExcludeFiles("atsan-exclude", cl::desc("File of names that are no regions"),
                 cl::Hidden);

cl::list<std::string>
    IgnorelistFiles("atsan-ignorelist",
                    cl::desc("File of code that is not instrumented"),
                    cl::Hidden);

} // namespace atsan
