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

#include "lib/checker/atsan_defs.h"
#include "runtime/options/atsan_flag_values.h"

namespace __atsan {

struct Flags {
#define ATSAN_FLAG(Type, Name, Default, Description) Type Name;
#include "runtime/options/atsan_flags.inc"
#undef ATSAN_FLAG
};

extern ATSAN_HIDDEN Flags flags_data;
inline const Flags *flags() { return &flags_data; }

// Set by an option of the driver, when the program starts.
extern ATSAN_HIDDEN bool critical_sections_are_regions;

constexpr char kSymbolizerEnvironment[] = "ATSAN_SYMBOLIZER_PATH";

// The first thing of all: also a start that fails ends with the exit code.
void FlagsSetDefaults();

// Reads __atsan_default_options() and ATSAN_OPTIONS. A value that an option
// cannot have ends the program with one message.
void FlagsInit();

// The program cannot be checked as it was asked for. Not `exitcode`, which says
// that something was found.
constexpr int kBadSetupExitCode = 2;
[[noreturn]] void ExitForBadSetup();

}  // namespace __atsan

extern "C" {
// A program may define it, to set options that ATSAN_OPTIONS can override.
SANITIZER_INTERFACE_ATTRIBUTE const char *__atsan_default_options();
}

#endif  // ATSAN_FLAGS_H
