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
#include "runtime/options/atsan_flags.h"

#include <string.h>

#include "runtime/options/atsan_option_text.h"
#include "runtime/options/atsan_text_file.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_flag_parser.h"
#include "sanitizer_common/sanitizer_interface_internal.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"

#ifndef ATSAN_DEFAULT_SYMBOLIZER
#error "Define ATSAN_DEFAULT_SYMBOLIZER: the path of llvm-symbolizer"
#endif

SANITIZER_INTERFACE_WEAK_DEF(const char *, __atsan_default_options, void) {
  return "";
}

namespace __atsan {

Flags flags_data;
bool critical_sections_are_regions;

namespace {

constexpr char kEnvironment[] = "ATSAN_OPTIONS";

// The source that FlagParser is reading, for messages.
const char *current_source;

// Options of which their type allows more than is meant.
struct Narrower {
  const char *option;
  const char *allowed;
  bool (*is_allowed)(const char *text);
};

bool IsExitCode(const char *text) {
  u32 code;
  return ParseValue(text, &code) && code <= 255;
}

bool IsCount(const char *text) {
  int count;
  return ParseValue(text, &count) && count >= 0;
}

// A trace's header takes that much.
bool IsTraceSize(const char *text) {
  uptr size;
  return ParseValue(text, &size) && (size == 0 || size >= 4096);
}

bool IsColor(const char *text) {
  return !internal_strcmp(text, "always") || !internal_strcmp(text, "never") ||
         !internal_strcmp(text, "auto");
}

constexpr Narrower kNarrower[] = {
    {"exitcode", "whole numbers from 0 to 255", IsExitCode},
    {"malloc_context_size", "whole numbers from 0 to 2147483647", IsCount},
    {"trace_size_limit", "0 and whole numbers from 4096", IsTraceSize},
    {"color", "always, never and auto", IsColor},
};

const Narrower *FindNarrower(const char *option) {
  for (const Narrower &narrower : kNarrower)
    if (!internal_strcmp(narrower.option, option))
      return &narrower;
  return nullptr;
}

// Unlike FlagParser's own handlers, names the option and what it may be.
template <class T>
class Handler final : public FlagHandlerBase {
 public:
  Handler(const char *name, T *flag) : name_(name), flag_(flag) {}

  bool Parse(const char *text) override {
    const Narrower *narrower = FindNarrower(name_);
    if (ParseValue(text, flag_) && (!narrower || narrower->is_allowed(text)))
      return true;
    Report("ERROR: %s: bad run-time option %s=%s in %s: allowed are %s\n",
           SanitizerToolName, name_, text, current_source,
           narrower ? narrower->allowed : Allowed(flag_));
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

void Parse(FlagParser *parser, const char *options, const char *source);

// include and include_if_exists. The file's options are as good as others.
class IncludeHandler final : public FlagHandlerBase {
 public:
  IncludeHandler(FlagParser *parser, const char *name, bool ignore_missing)
      : parser_(parser), name_(name), ignore_missing_(ignore_missing) {}

  bool Parse(const char *text) override {
    path_ = text;
    InternalMmapVector<char> path(kMaxPathLength);
    SubstituteForFlagValue(text, path.data(), path.size());
    if (!path[0])
      Fail("it names no file");
    constexpr u32 kMaxDepth = 16;
    if (depth >= kMaxDepth)
      Fail("too many files include each other");
    InternalMmapVector<char> options;
    error_t error = 0;
    if (!ReadFileToVector(path.data(), &options, kMaxSize, &error)) {
      if (ignore_missing_)
        return true;
      Fail(strerror(error));
    }
    if (options.size() >= kMaxSize)
      Fail("it has 32 KiB or more");
    options.push_back('\0');
    const char *source = current_source;
    depth++;
    __atsan::Parse(parser_, SkipByteOrderMark(options.data()),
                   internal_strdup(path.data()));
    depth--;
    current_source = source;
    return true;
  }

  bool Format(char *buffer, uptr size) override {
    return FormatString(buffer, size, path_);
  }

 private:
  static constexpr uptr kMaxSize = 1 << 15;
  static u32 depth;

  [[noreturn]] void Fail(const char *problem) {
    Report(
        "ERROR: %s: bad run-time option %s=%s in %s: %s; name a file with "
        "options, or leave it out\n",
        SanitizerToolName, name_, path_, current_source, problem);
    ExitForBadSetup();
  }

  FlagParser *parser_;
  const char *name_;
  const char *path_ = "";
  bool ignore_missing_;
};

u32 IncludeHandler::depth;

void RegisterInclude(FlagParser *parser, const char *name,
                     const char *description, bool ignore_missing) {
  parser->RegisterHandler(name,
                          new (GetGlobalLowLevelAllocator())
                              IncludeHandler(parser, name, ignore_missing),
                          description);
}

void RegisterAll(FlagParser *parser, CommonFlags *common) {
#define ATSAN_FLAG(Type, Name, Default, Description) \
  Register(parser, #Name, Description, &flags_data.Name);
#include "runtime/options/atsan_flags.inc"
#undef ATSAN_FLAG
#define COMMON_FLAG(Type, Name, Default, Description) \
  Register(parser, #Name, Description, &common->Name);
#include "sanitizer_common/sanitizer_flags.inc"
#undef COMMON_FLAG
  RegisterInclude(parser, "include", "read more options from the given file",
                  /*ignore_missing=*/false);
  RegisterInclude(parser, "include_if_exists",
                  "read more options from the given file (if it exists)",
                  /*ignore_missing=*/true);
}

void Parse(FlagParser *parser, const char *options, const char *source) {
  if (!options)
    return;
  current_source = source;
  OptionText text(options);
  while (text.Next()) {
    parser->ParseString(text.option.data(), source);
    // Unrecognized options are reported even without verbosity: a mistyped one
    // should not go unnoticed. One by one, since the parser has room for
    // twenty.
    ReportUnrecognizedFlags();
  }
  if (!text.problem)
    return;
  Report(
      "ERROR: %s: bad run-time option %s in %s: it %s; write NAME=VALUE, with "
      "a ':' between options, and quotes around a value with a blank or ':' "
      "(ATSAN_OPTIONS=help=1 lists them)\n",
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
#include "runtime/options/atsan_flags.inc"
#undef ATSAN_FLAG
}

// nullptr: llvm-symbolizer of PATH, if there is one.
static const char *SymbolizerDefaultPath() {
  if (const char *path = GetEnv(kSymbolizerEnvironment))
    return path;
  // The one of our compiler first: an older one in PATH may not understand all
  // debug information. Without either, sanitizer_common looks in PATH.
  return FileExists(ATSAN_DEFAULT_SYMBOLIZER) ? ATSAN_DEFAULT_SYMBOLIZER
                                              : nullptr;
}

void FlagsInit() {
  CommonFlags common;
  common.CopyFrom(*common_flags());
  common.external_symbolizer_path = SymbolizerDefaultPath();

  // If FlagParser itself ends the program, that is no finding either.
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
