//===- unknown_option.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is wrong with a command line that CLI11 refuses: what follows a
// misspelled option it takes for arguments, and blames these.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_UNKNOWN_OPTION_H
#define ATSAN_TOOLS_ATSAN_UNKNOWN_OPTION_H

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace atsan::tool {

/// Returns "; did you mean X?" for the name that \p Wrong is probably meant to
/// be; empty if it is like none of them.
std::string proposalFor(const std::string &Wrong,
                        const std::vector<std::string> &Names);

/// Names the first option that the command does not have, with the nearest one
/// that it has; empty if it has all of them. \p Arguments begins behind the
/// program's name, and \p Tool has parsed it.
std::string unknownOption(const CLI::App &Tool,
                          const std::vector<std::string> &Arguments);

/// Says of the first option that is given as --name= that it has no value;
/// empty if there is none. CLI11 would take the next argument for its value, so
/// this comes before \p Tool parses. A value that is meant to be empty is an
/// argument of its own. \p At: the command that has the option.
std::string emptyOption(const CLI::App &Tool,
                        const std::vector<std::string> &Arguments,
                        const CLI::App *&At);

} // namespace atsan::tool

#endif
