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

#include "atsan_option_text.h"
#include "atsan_symbolizer.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_flag_parser.h"
#include "sanitizer_common/sanitizer_interface_internal.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"

SANITIZER_INTERFACE_WEAK_DEF(const char *, __atsan_default_options, void) {
  return "";
}

namespace __atsan {

Flags flags_data;

namespace {

constexpr char kEnvironment[] = "ATSAN_OPTIONS";

// Where FlagParser is, for messages.
const char *current_source;

// Unlike FlagParser's own handlers, names the option and what it may be.
template <class T>
class Handler final : public FlagHandlerBase {
 public:
  Handler(const char *name, T *flag) : name_(name), flag_(flag) {}

  bool Parse(const char *text) override {
    if (ParseValue(text, flag_))
      return true;
    Report("ERROR: %s: bad run-time option %s=%s in %s: allowed are %s\n",
           SanitizerToolName, name_, text, current_source, Allowed(flag_));
    ExitForBadSetup();
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

void RegisterAll(FlagParser *parser, CommonFlags *common) {
#define ATSAN_FLAG(Type, Name, Default, Description) \
  Register(parser, #Name, Description, &flags_data.Name);
#include "atsan_flags.inc"
#undef ATSAN_FLAG
#define COMMON_FLAG(Type, Name, Default, Description) \
  Register(parser, #Name, Description, &common->Name);
#include "sanitizer_common/sanitizer_flags.inc"
#undef COMMON_FLAG
  RegisterIncludeFlags(parser, common);
}

void Parse(FlagParser *parser, const char *options, const char *source) {
  if (!options)
    return;
  current_source = source;
  OptionText text(options);
  while (text.Next()) {
    parser->ParseString(text.option.data(), source);
    // Not only with verbosity: a mistyped option should not go unnoticed. One
    // by one, since the parser has room for twenty.
    ReportUnrecognizedFlags();
  }
  if (!text.problem)
    return;
  Report(
      "ERROR: %s: bad run-time option %s in %s: it %s; write NAME=VALUE, with "
      "a ':' between options (ATSAN_OPTIONS=help=1 lists them)\n",
      SanitizerToolName, text.option.data(), source, text.problem);
  ExitForBadSetup();
}

}  // namespace

void ExitForBadSetup() { internal__exit(kBadSetupExitCode); }

void FlagsSetDefaults() {
  SetCommonFlagsDefaults();
  CommonFlags common;
  common.CopyFrom(*common_flags());
  common.exitcode = 66;
  // The shadow is sparse: a core file is no bigger than the program's.
  common.disable_coredump = false;
  OverrideCommonFlags(common);
#define ATSAN_FLAG(Type, Name, Default, Description) flags_data.Name = Default;
#include "atsan_flags.inc"
#undef ATSAN_FLAG
}

void FlagsInit() {
  CommonFlags common;
  common.CopyFrom(*common_flags());
  common.external_symbolizer_path = SymbolizerDefaultPath();

  // What FlagParser itself ends the program for (an unreadable include=FILE) is
  // no finding either.
  AddDieCallback(ExitForBadSetup);
  FlagParser parser;
  RegisterAll(&parser, &common);
  Parse(&parser, __atsan_default_options(), "__atsan_default_options()");
  Parse(&parser, GetEnv(kEnvironment), kEnvironment);
  RemoveDieCallback(ExitForBadSetup);

  common.malloc_context_size = Max(common.malloc_context_size, 1);
  OverrideCommonFlags(common);
  InitializeCommonFlags();
  if (common_flags()->help)
    parser.PrintFlagDescriptions();
}

}  // namespace __atsan
