//===-- atsan_flags.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The run-time options. Read-only after FlagsInit().
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_FLAGS_H
#define ATSAN_FLAGS_H

#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __atsan {

using namespace __sanitizer;

// Events at which a transaction ends and another one begins (rule 5).
enum RegionSplit : u32 {
  kSplitStart = 1 << 0,
  kSplitJoin = 1 << 1,
  kSplitBarrier = 1 << 2,
  kSplitWait = 1 << 3,
};
constexpr u32 kSplitAll = kSplitStart | kSplitJoin | kSplitBarrier | kSplitWait;

struct RegionSplits {
  u32 set;
  bool Has(RegionSplit split) const { return set & split; }
};

struct ReportFormat {
  enum Value : u8 { kText, kJson } value;
};

struct Flags {
#define ATSAN_FLAG(Type, Name, Default, Description) Type Name;
#include "atsan_flags.inc"
#undef ATSAN_FLAG
};

extern Flags flags_data;
inline const Flags *flags() { return &flags_data; }

// The first thing of all: also a start that fails ends with the exit code.
void FlagsSetDefaults();

// Reads __atsan_default_options() and ATSAN_OPTIONS. A value that an option
// cannot have ends the program with one message.
void FlagsInit();

}  // namespace __atsan

extern "C" {
// A program may define it, to set options that ATSAN_OPTIONS can override.
SANITIZER_INTERFACE_ATTRIBUTE const char *__atsan_default_options();
}

#endif  // ATSAN_FLAGS_H
