//===- model.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan model`: the options, and which analysis they ask for.
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/model.h"
#include "lib/base/FileError.h"
#include "lib/model/Parser.h"
#include "lib/model/Printer.h"
#include "lib/net/Formats.h"
#include "lib/report/Files.h"
#include "tools/atsan/output_file.h"
#include <algorithm>
#include <cerrno>
#include <iostream>
#include <memory>

namespace atsan::tool {

std::string readModelText(const std::string &File) {
  std::string Text;
  if (!report::readFile(File, Text))
    throw InputError(cannotRead(File, errno) + "; name a file with a model");
  return Text;
}

model::Model readModel(const std::string &File) {
  return model::parse(readModelText(File));
}

model::Program readProgram(const std::string &File, model::Calls How) {
  return model::lower(readModel(File), How);
}

void refuseWithoutBlock(const std::string &File, model::Contents Has) {
  throw InputError(
      File + ": there is no block to be checked; " +
      (Has.Operations
           ? "operations on registers are none: ask --linearizable of them, or "
             "put a block into atomic { ... } or begin ... end"
           : "put one into atomic { ... } or begin ... end"));
}

void refuseUnreached(const std::string &File, const std::string &What) {
  throw InputError(File +
                   ": nothing was checked: in no run does a thread come "
                   "to " +
                   What + "; mend what keeps all threads from there");
}

model::SearchOptions searchOptions(const ModelCommand &C) {
  model::SearchOptions O;
  O.MaxMemoryBytes = C.MaxMemoryBytes;
  O.MaxSeconds = C.MaxSeconds;
  return O;
}

namespace {

int format(const ModelCommand &C) {
  const model::Model M = readModel(C.File);
  std::cout << model::print(M);
  return ExitNothingFound;
}

const std::vector<ModelAnalysis> Analyses = {
    {"--causal",
     "Is each block causally atomic (CAV'06): can no other thread come between "
     "its begin and its end so that it matters?",
     runCausal,
     {"--engine", "--dot", "--html", "--json", "--net", "--force",
      "--max-memory", "--max-seconds", "--stats"}},
    {"--coverable",
     "Can the Petri net FILE (.spec, .pnml or .ll_net) reach a marking that "
     "covers a target?",
     runCoverable,
     {"--target", "--engine", "--dot", "--html", "--json", "--net", "--force",
      "--max-memory", "--max-seconds"}},
    {"--format", "Print the model in its usual form", format, {}},
    {"--from-report",
     "Print a finding of the sanitizer (a JSON log) as a model",
     modelFromReport,
     {"--fingerprint"}},
    {"--linearizable",
     "Are all operations on registers linearizable?",
     decideLinearizable,
     {"--html", "--json", "--stats", "--force", "--max-memory",
      "--max-seconds"}},
    {"--predictive",
     "Could some interleaving of some runs be a violation, if conditions and "
     "values are dropped (TACAS'09)?",
     decidePredictive,
     {"--html", "--json", "--locks", "--stats", "--force", "--max-memory",
      "--max-seconds"}},
    {"--serializable",
     "Is every run conflict-serializable?",
     decideSerializable,
     {"--html", "--json", "--stats", "--force", "--max-memory",
      "--max-seconds"}},
};

/// Declares what only some analyses have.
void declareOptions(CLI::App &App, ModelCommand &C) {
  declareChoice(App, "--engine", C.Engine,
                "Decide with this engine only: unfolding, explicit, forward or "
                "backward (default: those that fit, at once)",
                {{"unfolding", net::Engine::Unfolding},
                 {"explicit", net::Engine::Explicit},
                 {"forward", net::Engine::Forward},
                 {"backward", net::Engine::Backward}})
      ->type_name("ENGINE");
  declareChoice(App, "--locks", C.Locks,
                "Of --predictive: nested (default), product (also for locks "
                "that are not nested) or ignored",
                {{"nested", profile::Locks::Nested},
                 {"product", profile::Locks::Product},
                 {"ignored", profile::Locks::Ignored}})
      ->type_name("HOW");
  App.add_option(
         "--target", C.Targets,
         "A marking to cover, such as 'p1>=2, p2'; another one each time "
         "it is given")
      ->type_name("MARKING")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  App.add_option("--net", C.Net,
                 "Write the Petri net to FILE, by its ending: .spec, .pnml or "
                 ".ll_net")
      ->type_name("FILE");
  App.add_option(
         "--dot", C.Dot,
         "Write a picture to FILE, which graphviz draws: of the unfolding "
         "with --engine=unfolding, else of the net")
      ->type_name("FILE");
  App.add_option("--html", C.Html,
                 "Write a page to FILE: the verdict and its pictures; of "
                 "--causal and --coverable drawn by graphviz")
      ->type_name("FILE");
  App.add_option("--fingerprint", C.Fingerprint,
                 "Of --from-report: the report to use (default: the first)")
      ->type_name("FINGERPRINT");
  App.add_flag("--json", C.Json,
               "Print JSON (schema/atsan-check-2.schema.json; of --causal and "
               "--coverable atsan-model-1.schema.json)");
  App.add_flag("--stats", C.Stats, "Print figures of the search, too");
  App.add_flag("--force", C.Force,
               "Files that are written replace those that are there");
  App.add_option("--max-memory", C.MaxMemoryBytes,
                 "Give up when the process has this much memory, such as 4GiB")
      ->type_name("SIZE")
      ->transform(asBytes());
  App.add_option("--max-seconds", C.MaxSeconds,
                 "Give up after this time; 0: never (default)")
      ->type_name("SECONDS")
      ->check(notSeconds);
}

void refuseOthers(const CLI::App &App, const ModelAnalysis &Chosen) {
  for (const ModelAnalysis &A : Analyses)
    for (const char *Name : A.Takes) {
      const auto IsName = [Name](const char *Other) {
        return std::string(Other) == Name;
      };
      if (App.count(Name) &&
          std::none_of(Chosen.Takes.begin(), Chosen.Takes.end(), IsName))
        throw InputError(std::string(Name) + " means nothing to " +
                         Chosen.Option + "; leave it out");
    }
}

/// What forbids a file to be written is said before the search, not after it.
void checkFiles(const ModelCommand &C) {
  if (!C.Net.empty())
    net::checkEnding(C.Net);
  for (const std::string &File : {C.Net, C.Dot, C.Html})
    if (!File.empty())
      const OutputFile Try(File, C.Force); // Gone without commit().
}

} // namespace

Action declareModel(CLI::App &App) {
  auto C = std::make_shared<ModelCommand>();
  auto Chosen = std::make_shared<const ModelAnalysis *>(nullptr);
  auto *What = App.add_option_group("What to do");
  for (const ModelAnalysis &A : Analyses)
    What->add_flag_callback(
        A.Option, [Chosen, &A] { *Chosen = &A; }, A.Summary);
  What->require_option(1);
  App.add_option("file", C->File, "A model (docs/model-language.md), or a net")
      ->type_name("FILE")
      ->required();
  declareOptions(App, *C);
  App.footer("Exit codes: 0 the property holds, 66 it does not, 2 bad usage or "
             "input, or a limit was reached.");
  return [&App, C, Chosen] {
    try {
      refuseOthers(App, **Chosen);
      checkFiles(*C);
      return (*Chosen)->Run(*C);
    } catch (const model::ModelError &Error) {
      throw InputError(Error.in(C->File));
    } catch (const net::NetError &Error) {
      throw InputError(Error.what());
    }
  };
}

} // namespace atsan::tool
