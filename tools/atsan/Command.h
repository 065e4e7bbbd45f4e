//===- Command.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a sub-command of `atsan` consists of. To add one: write its declare
// function in a file of its own, declare it here, and list it in main.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_COMMAND_H
#define ATSAN_TOOLS_ATSAN_COMMAND_H

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace atsan::tool {

/// The exit codes of every sub-command.
enum ExitCode {
  ExitNothingFound = 0,
  ExitBadInput = 2, ///< Bad usage too.
  ExitFinding = 66, ///< A finding that fails the run.
};

/// Thrown by a command that cannot go on. The message names the input, the
/// place and the remedy; main() prints it and ends with ExitBadInput.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A function that runs when the command was chosen and its arguments were
/// understood; returns the exit code.
using Action = std::function<int()>;

/// Declares a command's options and arguments on \p App.
using DeclareFunction = Action (*)(CLI::App &App);

/// Says for ->check() why the text is no whole number from \p Least, which is 0
/// or 1, to \p Most; empty if it is.
std::string notWhole(const std::string &Text, uint64_t Least, uint64_t Most);
/// Says so of whole numbers from 1 on.
std::string notPositive(const std::string &Text);

/// Says for ->check() why the text is no number of seconds; empty if it is one.
std::string notSeconds(const std::string &Text);

/// For ->transform(): a size such as 4GiB becomes bytes.
CLI::Validator asBytes();

/// Declares --fail-on=violation|potential, which sets \p FailOnPotential.
void declareFailOn(CLI::App &App, bool &FailOnPotential); ///< main.cpp

/// Declares --algorithm=NAME, which sets \p Chosen. Each of \p All has a Name
/// and a Summary, which the help shows behind \p Help; the first is the
/// default.
template <typename Algorithms>
void declareAlgorithm(CLI::App &App, std::string &Chosen, std::string Help,
                      const Algorithms &All) {
  std::vector<std::string> Names;
  for (const auto &A : All) {
    Names.push_back(A.Name);
    Help += "\n" + Names.back() + ": " + A.Summary;
  }
  Help += "\n(default: " + Names.front() + ")";
  App.add_option("--algorithm", Chosen, Help)
      ->type_name("NAME")
      ->check(CLI::IsMember(Names).description(""));
}

/// Declares an option that is a whole number from 1 to \p Most.
template <typename Number>
void declarePositive(CLI::App &App, const std::string &Option, Number &Chosen,
                     const std::string &Help,
                     uint64_t Most = std::numeric_limits<Number>::max()) {
  App.add_option(Option, Chosen, Help)
      ->check(
          [Most](const std::string &Text) { return notWhole(Text, 1, Most); })
      ->type_name("N")
      ->capture_default_str();
}

/// Declares an option with a name from \p All, which sets \p Chosen to what
/// stands behind the name there.
template <typename Value>
CLI::Option *
declareChoice(CLI::App &App, const std::string &Option, Value &Chosen,
              const std::string &Help,
              const std::vector<std::pair<std::string, Value>> &All) {
  return App
      .add_option_function<std::string>(
          Option,
          [&Chosen, All](const std::string &Name) {
            for (const auto &[Known, Of] : All)
              if (Known == Name)
                Chosen = Of;
          },
          Help)
      ->check(CLI::IsMember(All).description(""));
}

Action declareCheck(CLI::App &App);     ///< check.cpp
Action declareExplore(CLI::App &App);   ///< explore.cpp
Action declareModel(CLI::App &App);     ///< model.cpp
Action declarePredict(CLI::App &App);   ///< predict.cpp
Action declareRegisters(CLI::App &App); ///< registers.cpp
Action declareReport(CLI::App &App);    ///< report.cpp
Action declareRefine(CLI::App &App);    ///< refine.cpp
Action declareTrace(CLI::App &App);     ///< trace.cpp

} // namespace atsan::tool

#endif
