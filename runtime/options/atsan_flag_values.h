//===-- atsan_flag_values.h -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types that run-time options have: for each what is allowed, how it is
// read and how it is shown. Runs before libc is initialized: no libc calls.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_FLAG_VALUES_H
#define ATSAN_FLAG_VALUES_H

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_flags.h"

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
  // Is any of `splits` (of RegionSplit) there?
  bool Has(u32 splits) const { return set & splits; }
};

enum Checker : u32 {
  kCheckerScg = 1 << 0,        // lib/checker/: always.
  kCheckerReduction = 1 << 1,  // lib/reduction/
};

struct Checkers {
  u32 set;
  bool Has(Checker checker) const { return set & checker; }
};

// The weakest findings that fail the run (rule 12).
struct FailOn {
  enum Value : u8 { kViolation, kPotential } value;
};

struct ReportFormat {
  enum Value : u8 { kText, kJson } value;
};

// Says what a user may write for an option of the type of `value`.
const char *Allowed(const bool *value);
const char *Allowed(const int *value);
const char *Allowed(const u32 *value);
const char *Allowed(const uptr *value);
const char *Allowed(const char *const *value);
const char *Allowed(const HandleSignalMode *value);
const char *Allowed(const RegionSplits *value);
const char *Allowed(const ReportFormat *value);
const char *Allowed(const Checkers *value);
const char *Allowed(const FailOn *value);

// False if `text` is not allowed.
bool ParseValue(const char *text, bool *value);
bool ParseValue(const char *text, int *value);
bool ParseValue(const char *text, u32 *value);
bool ParseValue(const char *text, uptr *value);
bool ParseValue(const char *text, const char **value);
bool ParseValue(const char *text, HandleSignalMode *value);
bool ParseValue(const char *text, RegionSplits *value);
bool ParseValue(const char *text, ReportFormat *value);
bool ParseValue(const char *text, Checkers *value);
bool ParseValue(const char *text, FailOn *value);

void AppendValue(InternalScopedString *text, bool value);
void AppendValue(InternalScopedString *text, int value);
void AppendValue(InternalScopedString *text, u32 value);
void AppendValue(InternalScopedString *text, uptr value);
void AppendValue(InternalScopedString *text, const char *value);
void AppendValue(InternalScopedString *text, HandleSignalMode value);
void AppendValue(InternalScopedString *text, RegionSplits value);
void AppendValue(InternalScopedString *text, ReportFormat value);
void AppendValue(InternalScopedString *text, Checkers value);
void AppendValue(InternalScopedString *text, FailOn value);

}  // namespace __atsan

#endif  // ATSAN_FLAG_VALUES_H
