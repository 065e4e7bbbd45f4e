//===-- atsan_flag_values.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "atsan_flag_values.h"

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

struct SplitName {
  const char *name;
  u32 set;
};
static constexpr SplitName kSplitNames[] = {
    {"start", kSplitStart}, {"join", kSplitJoin}, {"barrier", kSplitBarrier},
    {"wait", kSplitWait},   {"all", kSplitAll},   {"none", 0},
};

const char *Allowed(const RegionSplits *) {
  return "none, all, or a list of start, join, barrier and wait";
}

bool ParseValue(const char *text, RegionSplits *value) {
  value->set = 0;
  for (;;) {
    uptr length = internal_strchrnul(text, ',') - text;
    bool known = false;
    for (const SplitName &split : kSplitNames) {
      if (internal_strlen(split.name) == length &&
          internal_strncmp(split.name, text, length) == 0) {
        value->set |= split.set;
        known = true;
      }
    }
    if (!known)
      return false;
    if (text[length] == '\0')
      return true;
    text += length + 1;
  }
}

void AppendValue(InternalScopedString *text, RegionSplits value) {
  if (!value.set)
    text->Append("none");
  for (const SplitName &split : kSplitNames) {
    bool single = (split.set & (split.set - 1)) == 0;
    if (single && (value.set & split.set))
      text->AppendF("%s%s", text->length() ? "," : "", split.name);
  }
}

}  // namespace __atsan
