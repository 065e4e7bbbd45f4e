//===- explore_nested.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_nested.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/child_process.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace atsan::tool {

static constexpr char IsExplored[] = "ATSAN_IS_EXPLORED";

static bool asksForSchedule(const std::string &Options) {
  const size_t At = Options.find("schedule=");
  return At == 0 || (At != Options.npos &&
                     std::strchr(" ,:\t\n", Options[At - 1]) != nullptr);
}

void takePlaceIfExplored(const std::vector<std::string> &Command) {
  const char *Given = getenv("ATSAN_OPTIONS");
  if (!getenv(IsExplored) && !asksForSchedule(Given ? Given : "")) {
    setenv(IsExplored, "1", /*overwrite=*/1);
    return;
  }
  const std::vector<char *> Argv = argumentsOf(Command);
  execvp(Argv[0], Argv.data());
  throw InputError("cannot run '" + Command[0] + "' (" + std::strerror(errno) +
                   "); write a program, with its arguments, after '--'");
}

} // namespace atsan::tool
