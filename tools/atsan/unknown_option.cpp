//===- unknown_option.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/unknown_option.h"
#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace atsan::tool {

/// How many characters have to be put in, taken out or replaced.
static size_t distance(const std::string &A, const std::string &B) {
  // The distance of what was read of A from each beginning of B.
  std::vector<size_t> Row(B.size() + 1);
  std::iota(Row.begin(), Row.end(), size_t(0));
  for (size_t I = 0; I < A.size(); ++I) {
    size_t Diagonal = std::exchange(Row[0], I + 1);
    for (size_t J = 0; J < B.size(); ++J) {
      const size_t Replaced = Diagonal + (A[I] != B[J]);
      Diagonal = Row[J + 1];
      Row[J + 1] = std::min({Replaced, Diagonal + 1, Row[J] + 1});
    }
  }
  return Row.back();
}

std::string proposalFor(const std::string &Wrong,
                        const std::vector<std::string> &Names) {
  constexpr size_t MostChanges = 2;
  const std::string *Nearest = nullptr;
  size_t Least = MostChanges + 1;
  for (const std::string &Name : Names)
    if (const size_t D = distance(Wrong, Name); D < Least) {
      Least = D;
      Nearest = &Name;
    }
  return Nearest ? "; did you mean " + *Nearest + "?" : std::string();
}

static void appendOptions(const CLI::App &Of, std::vector<std::string> &Names) {
  for (const CLI::Option *O : Of.get_options())
    for (const std::string &Name : O->get_lnames())
      Names.push_back("--" + Name);
  // Groups of options are commands without a name.
  for (const CLI::App *Group : Of.get_subcommands(
           [](const CLI::App *App) { return App->get_name().empty(); }))
    appendOptions(*Group, Names);
}

std::string unknownOption(const CLI::App &Tool,
                          const std::vector<std::string> &Arguments) {
  const CLI::App *At = &Tool;
  for (const std::string &Argument : Arguments) {
    if (Argument == "--")
      break;
    const auto Chosen = At->get_subcommands();
    if (!Chosen.empty() && Chosen.front()->get_name() == Argument) {
      At = Chosen.front();
      continue;
    }
    if (Argument.size() < 2 || Argument[0] != '-')
      continue;
    // What follows a letter may be its value. A number is no option.
    const bool IsLong = Argument[1] == '-';
    if (!IsLong && !std::isalpha(static_cast<unsigned char>(Argument[1])))
      continue;
    const std::string Name =
        IsLong ? Argument.substr(0, Argument.find('=')) : Argument.substr(0, 2);
    if (At->get_option_no_throw(Name))
      continue;
    std::vector<std::string> Known;
    appendOptions(*At, Known);
    return (IsLong ? Name : Argument) + " is not known" +
           (IsLong ? proposalFor(Name, Known) : "");
  }
  return "";
}

std::string emptyOption(const CLI::App &Tool,
                        const std::vector<std::string> &Arguments,
                        const CLI::App *&At) {
  At = &Tool;
  for (const std::string &Argument : Arguments) {
    if (Argument == "--")
      break;
    const auto Named = At->get_subcommands([&](const CLI::App *Command) {
      return !Argument.empty() && Command->get_name() == Argument;
    });
    if (!Named.empty()) {
      At = Named.front();
      continue;
    }
    if (Argument.size() < 4 || Argument.compare(0, 2, "--") != 0 ||
        Argument.find('=') != Argument.size() - 1)
      continue;
    const std::string Name = Argument.substr(0, Argument.size() - 1);
    const CLI::Option *Is = At->get_option_no_throw(Name);
    if (Is && Is->get_items_expected_max() > 0)
      return std::string(Name)
          .append(": the value behind '=' is missing; give one, or, if it is "
                  "to be empty, write ")
          .append(Name)
          .append(" ''");
  }
  return "";
}

} // namespace atsan::tool
