//===- explore_nested.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_nested.h"
#include "tools/atsan/Command.h"
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

void takePlaceIfExplored(std::vector<std::string> &Command) {
  const char *Given = getenv("ATSAN_OPTIONS");
  if (!getenv(IsExplored) && !asksForSchedule(Given ? Given : "")) {
    setenv(IsExplored, "1", /*overwrite=*/1);
    return;
  }
  std::vector<char *> Argv;
  Argv.reserve(Command.size() + 1);
  for (std::string &Word : Command)
    Argv.push_back(Word.data());
  Argv.push_back(nullptr);
  execvp(Argv[0], Argv.data());
  throw InputError("cannot run '" + Command[0] + "' (" + std::strerror(errno) +
                   "); write a program, with its arguments, after '--'");
}

} // namespace atsan::tool
