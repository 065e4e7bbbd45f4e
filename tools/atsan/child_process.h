//===- child_process.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A command of the user's, run with other ATSAN_OPTIONS.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_CHILD_PROCESS_H
#define ATSAN_TOOLS_ATSAN_CHILD_PROCESS_H

#include <csignal>
#include <string>
#include <sys/types.h>
#include <vector>

namespace atsan::tool {

/// How a command ended.
struct RunResult {
  int ExitCode = 0;
  int Signal = 0;        ///< It was ended by this signal.
  int Interrupted = 0;   ///< We got this signal meanwhile.
  bool TimedOut = false; ///< It was killed for taking too long.
};

/// A value of an option as it has to stand in ATSAN_OPTIONS. Throws InputError
/// with the advice \p Remedy for a path that cannot stand there.
std::string quotedOption(const std::string &Path, const char *Remedy);

/// Commands that are started from here on have the same addresses in each run,
/// as far as the system allows it: containers may forbid it.
void fixAddresses();

/// The words of \p Command as exec takes them, with a null pointer behind. They
/// live as long as the command.
std::vector<char *> argumentsOf(const std::vector<std::string> &Command);

/// Starts \p Command with these ATSAN_OPTIONS. What it prints goes to the file
/// \p Output, or where ours goes if that is empty; it then leads a group of
/// processes. Throws InputError if it cannot be started.
pid_t startCommand(const std::vector<std::string> &Command,
                   const std::string &Options, const std::string &Output = "");

/// Waits until the command has ended, or kills its group after so many seconds
/// (0: never). Throws InputError. May be called by several threads.
RunResult waitFor(pid_t Pid, double Seconds = 0);

} // namespace atsan::tool

#endif
