//===-- atsan_flag_values.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/options/atsan_flag_values.h"

#include "sanitizer_common/sanitizer_flag_parser.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

// --- Truth values and text. --------------------------------------------------

const char *Allowed(const bool *) { return "0, 1, no, yes, false and true"; }

bool ParseValue(const char *text, bool *value) {
  return ParseBool(text, value);
}

void AppendValue(InternalScopedString *text, bool value) {
  text->Append(value ? "true" : "false");
}

const char *Allowed(const char *const *) { return "any text"; }

bool ParseValue(const char *text, const char **value) {
  *value = text;
  return true;
}

void AppendValue(InternalScopedString *text, const char *value) {
  text->Append(value ? value : "");
}

// --- Numbers. ----------------------------------------------------------------

static bool ParseNumber(const char *text, u64 max, u64 *number) {
  const char *p = text;
  *number = 0;
  for (; *p >= '0' && *p <= '9'; p++) {
    u64 digit = *p - '0';
    if (*number > (max - digit) / 10)
      return false;
    *number = *number * 10 + digit;
  }
  return p != text && *p == '\0';
}

template <class T>
static bool ParseUnsigned(const char *text, T *value) {
  u64 number;
  if (!ParseNumber(text, ~T(0), &number))
    return false;
  *value = static_cast<T>(number);
  return true;
}

const char *Allowed(const int *) {
  return "whole numbers from -2147483647 to 2147483647";
}

bool ParseValue(const char *text, int *value) {
  bool negative = *text == '-';
  u64 number;
  if (!ParseNumber(text + negative, 0x7fffffff, &number))
    return false;
  *value = negative ? -static_cast<int>(number) : static_cast<int>(number);
  return true;
}

void AppendValue(InternalScopedString *text, int value) {
  text->AppendF("%d", value);
}

const char *Allowed(const u32 *) {
  return "whole numbers from 0 to 4294967295";
}

bool ParseValue(const char *text, u32 *value) {
  return ParseUnsigned(text, value);
}

void AppendValue(InternalScopedString *text, u32 value) {
  text->AppendF("%u", value);
}

const char *Allowed(const uptr *) { return "whole numbers from 0"; }

bool ParseValue(const char *text, uptr *value) {
  return ParseUnsigned(text, value);
}

void AppendValue(InternalScopedString *text, uptr value) {
  text->AppendF("%zu", value);
}

// --- Choices. ----------------------------------------------------------------

const char *Allowed(const HandleSignalMode *) {
  return "0 (leave the signal alone), 1 (handle it) and 2 or exclusive (and "
         "let the program install no handler)";
}

bool ParseValue(const char *text, HandleSignalMode *value) {
  bool on;
  if (ParseBool(text, &on)) {
    *value = on ? kHandleSignalYes : kHandleSignalNo;
    return true;
  }
  *value = kHandleSignalExclusive;
  return !internal_strcmp(text, "2") || !internal_strcmp(text, "exclusive");
}

void AppendValue(InternalScopedString *text, HandleSignalMode value) {
  text->AppendF("%d", static_cast<int>(value));
}

const char *Allowed(const ReportFormat *) { return "text and json"; }

bool ParseValue(const char *text, ReportFormat *value) {
  bool json = internal_strcmp(text, "json") == 0;
  value->value = json ? ReportFormat::kJson : ReportFormat::kText;
  return json || internal_strcmp(text, "text") == 0;
}

void AppendValue(InternalScopedString *text, ReportFormat value) {
  text->Append(value.value == ReportFormat::kJson ? "json" : "text");
}

const char *Allowed(const FailOn *) { return "violation and potential"; }

bool ParseValue(const char *text, FailOn *value) {
  bool potential = internal_strcmp(text, "potential") == 0;
  value->value = potential ? FailOn::kPotential : FailOn::kViolation;
  return potential || internal_strcmp(text, "violation") == 0;
}

void AppendValue(InternalScopedString *text, FailOn value) {
  text->Append(value.value == FailOn::kPotential ? "potential" : "violation");
}

// --- Lists. ------------------------------------------------------------------

struct NamedSet {
  const char *name;
  u32 set;
};

// An element, that is. The others are sets of their own: none, and all.
static bool IsSingle(u32 set) { return set && (set & (set - 1)) == 0; }

template <uptr kNames>
static bool ParseSet(const char *text, const NamedSet (&names)[kNames],
                     u32 *set) {
  const char *begin = text;
  *set = 0;
  for (;;) {
    uptr length = internal_strchrnul(text, ',') - text;
    bool known = false;
    for (const NamedSet &named : names) {
      if (internal_strlen(named.name) == length &&
          internal_strncmp(named.name, text, length) == 0) {
        *set |= named.set;
        known = IsSingle(named.set) || (text == begin && !text[length]);
      }
    }
    if (!known)
      return false;
    if (text[length] == '\0')
      return true;
    text += length + 1;
  }
}

template <uptr kNames>
static void AppendSet(InternalScopedString *text,
                      const NamedSet (&names)[kNames], u32 set) {
  if (!set)
    text->Append("none");
  for (const NamedSet &named : names) {
    if (IsSingle(named.set) && (set & named.set))
      text->AppendF("%s%s", text->length() ? "," : "", named.name);
  }
}

static constexpr NamedSet kSplitNames[] = {
    {"start", kSplitStart}, {"join", kSplitJoin}, {"barrier", kSplitBarrier},
    {"wait", kSplitWait},   {"all", kSplitAll},   {"none", 0},
};

const char *Allowed(const RegionSplits *) {
  return "none, all, or a list of start, join, barrier and wait";
}

bool ParseValue(const char *text, RegionSplits *value) {
  return ParseSet(text, kSplitNames, &value->set);
}

void AppendValue(InternalScopedString *text, RegionSplits value) {
  AppendSet(text, kSplitNames, value.set);
}

static constexpr NamedSet kCheckerNames[] = {
    {"scg", kCheckerScg},
    {"reduction", kCheckerReduction},
};

const char *Allowed(const Checkers *) { return "scg and scg,reduction"; }

bool ParseValue(const char *text, Checkers *value) {
  return ParseSet(text, kCheckerNames, &value->set) && value->Has(kCheckerScg);
}

void AppendValue(InternalScopedString *text, Checkers value) {
  AppendSet(text, kCheckerNames, value.set);
}

}  // namespace __atsan
