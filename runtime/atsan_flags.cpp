//===-- atsan_flags.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses the run-time options with sanitizer_common's FlagParser. Runs before
// libc is initialized: no libc calls.
//
//===----------------------------------------------------------------------===//
#include "atsan_flags.h"

#include "atsan_symbolizer.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_flag_parser.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"

SANITIZER_INTERFACE_WEAK_DEF(const char *, __atsan_default_options, void) {
  return "";
}

namespace __atsan {

Flags flags_data;

namespace {

constexpr char kEnvironment[] = "ATSAN_OPTIONS";

struct SplitName {
  const char *name;
  u32 set;
};
constexpr SplitName kSplitNames[] = {
    {"start", kSplitStart}, {"join", kSplitJoin}, {"barrier", kSplitBarrier},
    {"wait", kSplitWait},   {"all", kSplitAll},   {"none", 0},
};

// --- Values: for each type what is allowed, how it is read and shown. --------

const char *Allowed(bool) { return "0, 1, no, yes, false and true"; }
const char *Allowed(u32) { return "whole numbers from 0 to 4294967295"; }
const char *Allowed(RegionSplits) {
  return "none, all, or a list of start, join, barrier and wait";
}
const char *Allowed(ReportFormat) { return "text and json"; }

bool ParseValue(const char *text, bool *value) {
  return ParseBool(text, value);
}

bool ParseValue(const char *text, u32 *value) {
  u64 number = 0;
  const char *p = text;
  for (; *p >= '0' && *p <= '9'; p++) {
    number = number * 10 + (*p - '0');
    if (number > 0xffffffffull)
      return false;
  }
  *value = static_cast<u32>(number);
  return p != text && *p == '\0';
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

bool ParseValue(const char *text, ReportFormat *value) {
  bool json = internal_strcmp(text, "json") == 0;
  value->value = json ? ReportFormat::kJson : ReportFormat::kText;
  return json || internal_strcmp(text, "text") == 0;
}

void AppendValue(InternalScopedString *text, bool value) {
  text->Append(value ? "true" : "false");
}

void AppendValue(InternalScopedString *text, u32 value) {
  text->AppendF("%u", value);
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

void AppendValue(InternalScopedString *text, ReportFormat value) {
  text->Append(value.value == ReportFormat::kJson ? "json" : "text");
}

// Unlike FlagParser's own handlers, names the option and what it may be.
template <class T>
class Handler final : public FlagHandlerBase {
 public:
  Handler(const char *name, T *flag) : name_(name), flag_(flag) {}

  bool Parse(const char *text) override {
    if (ParseValue(text, flag_))
      return true;
    Report("ERROR: %s: bad run-time option %s=%s: allowed are %s\n",
           SanitizerToolName, name_, text, Allowed(*flag_));
    Die();
  }

  bool Format(char *buffer, uptr size) override {
    InternalScopedString text;
    AppendValue(&text, *flag_);
    return FormatString(buffer, size, text.data());
  }

 private:
  const char *name_;
  T *flag_;
};

template <class T>
void Register(FlagParser *parser, const char *name, const char *description,
              T *flag) {
  parser->RegisterHandler(
      name, new (GetGlobalLowLevelAllocator()) Handler<T>(name, flag),
      description);
}

// --- Lists. ------------------------------------------------------------------

bool IsSeparator(char c) {
  return c == '\0' || c == ' ' || c == ',' || c == ':' || c == '\n' ||
         c == '\t' || c == '\r';
}

const char *FindSeparator(const char *text) {
  while (!IsSeparator(*text))
    text++;
  return text;
}

// After a comma: does the list go on, or does the next option begin?
bool ListGoesOn(const char *text) {
  const char *end = FindSeparator(text);
  for (; text < end; text++)
    if (*text == '=')
      return false;
  return true;
}

// FlagParser takes a comma for the end of an option: puts quotes around the
// lists that have none.
void QuoteLists(const char *options, InternalScopedString *out) {
  constexpr char kList[] = "region_splits=";
  constexpr uptr kLength = sizeof(kList) - 1;
  const char *p = options;
  while (*p) {
    if (IsSeparator(*p)) {
      out->AppendF("%c", *p++);
      continue;
    }
    const char *end = p;  // Of this option.
    while (!IsSeparator(*end)) {
      char quote = *end == '=' ? end[1] : '\0';
      end++;
      if (quote != '\'' && quote != '"')
        continue;
      const char *close = internal_strchr(end + 1, quote);
      end = close ? close + 1 : end + internal_strlen(end);
    }
    bool is_list = internal_strncmp(p, kList, kLength) == 0;
    if (is_list && p[kLength] != '\'' && p[kLength] != '"') {
      while (*end == ',' && ListGoesOn(end + 1))
        end = FindSeparator(end + 1);
      out->AppendF("%s'%.*s'", kList, static_cast<int>(end - p - kLength),
                   p + kLength);
    } else {
      out->AppendF("%.*s", static_cast<int>(end - p), p);
    }
    p = end;
  }
}

void Parse(FlagParser *parser, const char *options, const char *source) {
  if (!options)
    return;
  InternalScopedString quoted;
  QuoteLists(options, &quoted);
  parser->ParseString(quoted.data(), source);
}

}  // namespace

void FlagsSetDefaults() {
  SetCommonFlagsDefaults();
  CommonFlags cf;
  cf.CopyFrom(*common_flags());
  cf.exitcode = 66;
  // The shadow is sparse: a core file is no bigger than the program's.
  cf.disable_coredump = false;
  OverrideCommonFlags(cf);
#define ATSAN_FLAG(Type, Name, Default, Description) flags_data.Name = Default;
#include "atsan_flags.inc"
#undef ATSAN_FLAG
}

void FlagsInit() {
  CommonFlags cf;
  cf.CopyFrom(*common_flags());
  cf.external_symbolizer_path = SymbolizerDefaultPath();
  OverrideCommonFlags(cf);

  FlagParser parser;
  RegisterCommonFlags(&parser);
#define ATSAN_FLAG(Type, Name, Default, Description) \
  Register(&parser, #Name, Description, &flags_data.Name);
#include "atsan_flags.inc"
#undef ATSAN_FLAG

  Parse(&parser, __atsan_default_options(), "__atsan_default_options()");
  Parse(&parser, GetEnv(kEnvironment), kEnvironment);
  InitializeCommonFlags();
  // Not only with verbosity: a mistyped option should not go unnoticed.
  ReportUnrecognizedFlags();
  if (common_flags()->help)
    parser.PrintFlagDescriptions();
}

}  // namespace __atsan
