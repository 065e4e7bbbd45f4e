//===- explore_suite.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/explore_suite.h"
#include "tools/atsan/Command.h"
#include "tools/atsan/explore_jobs.h"
#include "tools/atsan/interruption.h"
#include "tools/atsan/scratch_folder.h"
#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;
using nlohmann::json;

namespace atsan::tool {

bool isSuite(const std::vector<std::string> &Command) {
  return fs::path(Command[0]).filename() == "ctest";
}

/// The command of a test, as one that can be run from anywhere.
static SuiteTest testOf(const json &Test) {
  SuiteTest Result{Test.at("name"), {"env"}, ""};
  bool IsLeftOut = false;
  for (const json &Property : Test.value("properties", json::array())) {
    const std::string Name = Property.at("name");
    const json &Value = Property.at("value");
    if (Name == "WORKING_DIRECTORY")
      Result.Command.insert(Result.Command.begin() + 1, {"-C", Value});
    else if (Name == "ENVIRONMENT")
      for (const json &Variable : Value)
        Result.Command.push_back(Variable);
    else if (Name == "DISABLED")
      IsLeftOut = IsLeftOut || Value == true;
  }
  if (IsLeftOut)
    Result.Problem = "ctest does not run it";
  else if (!Test.contains("command"))
    Result.Problem = "ctest does not find its program; build it";
  else
    for (const json &Word : Test.at("command"))
      Result.Command.push_back(Word);
  return Result;
}

std::vector<SuiteTest> testsOf(const std::vector<std::string> &Command) {
  const ScratchFolder Scratch;
  const std::string File = Scratch.file("tests");
  std::vector<std::string> Listing = Command;
  Listing.push_back("--show-only=json-v1");
  const RunResult Result = waitFor(startCommand(Listing, "", File));
  const std::string Text = textOf(File);
  std::vector<SuiteTest> Tests;
  try {
    const json All =
        json::parse(Text.substr(std::min(Text.find('{'), Text.size())));
    for (const json &Test : All.at("tests"))
      Tests.push_back(testOf(Test));
  } catch (const json::exception &) {
    throw InputError("'" + Command[0] +
                     " --show-only=json-v1' ended with exit code " +
                     std::to_string(Result.ExitCode) +
                     " and did not list its tests; use CMake 3.14 or later, "
                     "in or with --test-dir of a folder that it has built");
  }
  if (Tests.empty())
    throw InputError("'" + Command[0] +
                     "' has no tests; choose others by its "
                     "options");
  return Tests;
}

static ExploredTest exploreTest(const ExploreOptions &O, const SuiteTest &T) {
  ExploredTest Result{T.Name, O, {}, T.Problem, 0};
  Result.By.Command = T.Command;
  Result.By.Name = T.Name;
  Result.By.Jobs = 1;
  const auto Begin = std::chrono::steady_clock::now();
  if (Result.Problem.empty())
    try {
      Result.Seen = explore(Result.By, [](const Explored &) {});
    } catch (const std::exception &Error) {
      Result.Problem = Error.what();
    }
  const std::chrono::duration<double> Took =
      std::chrono::steady_clock::now() - Begin;
  Result.Seconds = Took.count();
  return Result;
}

void exploreTests(const ExploreOptions &O, const std::vector<SuiteTest> &Tests,
                  const std::function<void(const ExploredTest &)> &OnEnd) {
  std::atomic<size_t> Next{0};
  std::atomic<bool> Stop{false};
  std::mutex Lock; // Guards OnEnd.
  runJobs(O.Jobs, Stop, [&](unsigned) {
    for (size_t Index; !Stop && (Index = Next++) < Tests.size();) {
      const ExploredTest Done = exploreTest(O, Tests[Index]);
      if (interruptedBy() && Done.Seen.Findings.empty())
        return;
      const std::lock_guard<std::mutex> Guard(Lock);
      OnEnd(Done);
    }
  });
}

} // namespace atsan::tool
