//===- main.cpp -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan`: the table of sub-commands, and what they have in common: --help,
// --version, how errors are printed, exit codes (Command.h).
//
//===----------------------------------------------------------------------===//

#include "lib/base/Printable.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/unknown_option.h"
#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <iostream>
#include <limits>
#include <vector>

using namespace atsan::tool;

std::string atsan::tool::notWhole(const std::string &Text, uint64_t Least,
                                  uint64_t Most) {
  const bool IsNumber = !Text.empty() && Text.find_first_not_of("0123456789") ==
                                             std::string::npos;
  if (!IsNumber || (Least && Text.find_first_not_of('0') == std::string::npos))
    return "'" + Text + "' is no whole number from " + std::to_string(Least) +
           " on";
  uint64_t Number;
  const std::from_chars_result Read =
      std::from_chars(Text.data(), Text.data() + Text.size(), Number);
  return Read.ec == std::errc() && Number <= Most
             ? std::string()
             : "'" + Text + "' is too large; give " + std::to_string(Most) +
                   " at most";
}

std::string atsan::tool::notPositive(const std::string &Text) {
  return notWhole(Text, 1, std::numeric_limits<uint64_t>::max());
}

std::string atsan::tool::notSeconds(const std::string &Text) {
  double Seconds = -1;
  if (CLI::detail::lexical_cast(Text, Seconds) && Seconds >= 0 &&
      std::isfinite(Seconds))
    return std::string();
  return "'" + Text + "' is no time; give a number of seconds";
}

CLI::Validator atsan::tool::asBytes() {
  return CLI::Validator(
      [](std::string &Text) {
        std::string Bytes = Text;
        bool IsSize = false;
        try {
          // A number below 0 would become a very large one.
          IsSize = Text.find('-') == std::string::npos &&
                   CLI::AsSizeValue(false)(Bytes).empty();
        } catch (const CLI::Error &) {
          IsSize = false; // The unit is none.
        }
        if (!IsSize)
          return "'" + Text +
                 "' is no size; give a number with a unit, such as 4GiB";
        Text = Bytes;
        return std::string();
      },
      "");
}

namespace {

struct Command {
  const char *Name;
  const char *Summary;
  DeclareFunction Declare;
};

const std::vector<Command> Commands = {
    {"check", "Decide whether the regions in a trace were atomic",
     declareCheck},
    {"predict", "Say what other schedules of a recorded run would violate",
     declarePredict},
    {"registers", "Decide whether a history of operations is linearizable",
     declareRegisters},
    {"report", "Summarize JSON reports; compare them with a baseline",
     declareReport},
    {"explore", "Run a test by other schedules, until one shows a bug",
     declareExplore},
    {"model", "Decide models of small programs, in all schedules",
     declareModel},
    {"refine", "Run tests until the regions that are left are atomic",
     declareRefine},
    {"trace", "Print traces, convert them, count what is in them",
     declareTrace},
};

int fail(const std::string &Who, const std::string &Message) {
  std::cout.flush();
  std::cerr << Who << ": error: " << atsan_text::Printable(Message) << '\n';
  return ExitBadInput;
}

// The command that was chosen: `atsan`, `atsan check`, `atsan trace print`.
const CLI::App *chosen(const CLI::App *From) {
  const auto Next = From->get_subcommands();
  return Next.empty() ? From : chosen(Next.front());
}

std::string nameOf(const CLI::App &Of) {
  return (Of.get_parent() ? nameOf(*Of.get_parent()) + " " : "") +
         Of.get_name();
}

std::string explain(const CLI::ParseError &Error, const CLI::App &Tool,
                    const std::vector<std::string> &Arguments) {
  if (const std::string Unknown = unknownOption(Tool, Arguments);
      !Unknown.empty())
    return Unknown;
  const CLI::App &Chosen = *chosen(&Tool);
  const std::vector<std::string> Left = Chosen.remaining();
  if (Error.get_name() == "RequiredError" && !Left.empty() &&
      Chosen.get_require_subcommand_min()) {
    std::vector<std::string> Names;
    for (const CLI::App *Command :
         Chosen.get_subcommands([](const CLI::App *) { return true; }))
      Names.push_back(Command->get_name());
    return "there is no command '" + Left.front() + "'" +
           proposalFor(Left.front(), Names);
  }
  return Error.what();
}

int run(int Argc, char **Argv) {
  CLI::App Tool("Works on what AtomicitySanitizer finds.", "atsan");
  Tool.set_version_flag("--version",
                        "atsan " ATSAN_VERSION " (AtomicitySanitizer)");
  Tool.require_subcommand(1);
  Tool.footer("'atsan COMMAND --help' says more.\n"
              "Exit codes: 0 nothing found, 66 a finding that fails the run, "
              "2 bad usage or input.");

  int Result = ExitNothingFound;
  for (const Command &C : Commands) {
    CLI::App *App = Tool.add_subcommand(C.Name, C.Summary);
    App->final_callback([&Result, Act = C.Declare(*App)] { Result = Act(); });
  }

  const std::vector<std::string> Arguments(Argv + 1, Argv + Argc);
  const CLI::App *Of = nullptr;
  if (const std::string Empty = emptyOption(Tool, Arguments, Of);
      !Empty.empty())
    return fail(nameOf(*Of), Empty);

  try {
    Tool.parse(Argc, Argv);
  } catch (const CLI::ParseError &Error) {
    if (Error.get_exit_code() == 0)
      return Tool.exit(Error); // --help and --version.
    const std::string Who = nameOf(*chosen(&Tool));
    return fail(Who,
                explain(Error, Tool, Arguments) + "; try '" + Who + " --help'");
  } catch (const InputError &Error) {
    return fail(nameOf(*chosen(&Tool)), Error.what());
  }
  return Result;
}

} // namespace

void atsan::tool::declareFailOn(CLI::App &App, bool &FailOnPotential) {
  declareChoice(App, "--fail-on", FailOnPotential,
                "Which findings fail the run: violation (default), or "
                "potential, which is all",
                {{"violation", false}, {"potential", true}})
      ->type_name("NOTION");
}

int main(int Argc, char **Argv) {
  try {
    const int Result = run(Argc, Argv);
    if (std::cout.flush())
      return Result;
    // A finding stays a finding.
    const int Failed = fail("atsan", "<standard output>: cannot be written");
    return Result == ExitNothingFound ? Failed : Result;
  } catch (const std::exception &Error) {
    return fail("atsan", Error.what());
  }
}
