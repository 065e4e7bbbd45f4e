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
#include "lib/model/Parser.h"
#include "lib/model/Printer.h"
#include "lib/report/Files.h"
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <memory>

namespace atsan::tool {

std::string readModelText(const std::string &File) {
  std::string Text;
  if (!report::readFile(File, Text))
    throw InputError(File + ": " + strerror(errno) +
                     "; name a file with a model");
  return Text;
}

model::Model readModel(const std::string &File) {
  try {
    return model::parse(readModelText(File));
  } catch (const model::ModelError &Error) {
    throw InputError(Error.in(File));
  }
}

model::Program readProgram(const std::string &File, model::Calls How) {
  try {
    return model::lower(readModel(File), How);
  } catch (const model::ModelError &Error) {
    throw InputError(Error.in(File));
  }
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

struct ModelAnalysis {
  const char *Option;
  const char *Summary;
  int (*Run)(const ModelCommand &);
};

const std::vector<ModelAnalysis> Analyses = {
    {"--format", "Print the model in its usual form", format},
    {"--serializable", "Is every run conflict-serializable?",
     decideSerializable},
    {"--linearizable", "Are all operations on registers linearizable?",
     decideLinearizable},
};

} // namespace

// --max-memory and --max-seconds.
static void declareLimits(CLI::App &App, uint64_t &Bytes, double &Seconds) {
  App.add_option("--max-memory", Bytes,
                 "Give up when the process has this much memory, such as 4GiB")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false).description(""));
  App.add_option("--max-seconds", Seconds,
                 "Give up after this time; 0: never (default)")
      ->type_name("SECONDS")
      ->check([](const std::string &Text) {
        double Given = -1;
        if (CLI::detail::lexical_cast(Text, Given) && Given >= 0)
          return std::string();
        return "'" + Text + "' is no time; give a number of seconds";
      });
}

Action declareModel(CLI::App &App) {
  auto C = std::make_shared<ModelCommand>();
  auto Chosen = std::make_shared<const ModelAnalysis *>(nullptr);
  auto *What = App.add_option_group("What to do");
  for (const ModelAnalysis &A : Analyses)
    What->add_flag_callback(
        A.Option, [Chosen, &A] { *Chosen = &A; }, A.Summary);
  What->require_option(1);
  App.add_option("file", C->File, "A model (docs/model-language.md)")
      ->type_name("FILE")
      ->required();
  declareLimits(App, C->MaxMemoryBytes, C->MaxSeconds);
  App.add_flag("--json", C->Json,
               "Print JSON (schema/atsan-check-1.schema.json)");
  App.add_flag("--stats", C->Stats, "Print figures of the search, too");
  App.footer("Exit codes: 0 the property holds, 66 it does not, 2 bad usage or "
             "input, or a limit was reached.");
  return [C, Chosen] { return (*Chosen)->Run(*C); };
}

} // namespace atsan::tool
