//===- registers.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan registers`: the options, and how a history goes through an algorithm.
// Formats, algorithms and writers are in lib/registers.
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Outcome.h"
#include "lib/registers/Reader.h"
#include "lib/trace/Input.h"
#include "tools/atsan/Command.h"
#include <iostream>
#include <memory>

using namespace atsan::registers;

namespace atsan::tool {

namespace {

struct CommandLine {
  std::string File;
  ReaderOptions Reading;
  std::string Algorithm = algorithms().front().Name;
  Request Wanted = {{uint64_t(1) << 30, 300}, false};
  bool Json = false;
};

History read(const CommandLine &C, std::string &Name) {
  std::string Error;
  const std::unique_ptr<trace::Input> From = trace::Input::open(C.File, Error);
  if (!From)
    throw InputError(Error);
  Name = From->name();
  ReaderOptions O = C.Reading;
  O.Bytes = From->bytesTotal();
  try {
    History Of = readHistory(
        [&](char *To, size_t Size) { return From->read(To, Size); }, Name, O);
    if (!From->error().empty())
      throw InputError(From->error());
    return Of;
  } catch (const FormatError &Wrong) {
    throw InputError(Wrong.what());
  }
}

int run(const CommandLine &C) {
  std::string Name;
  History Of = read(C, Name);
  for (const Register &R : Of.Registers)
    if (const std::string Why = whyNot(C.Algorithm, R, Of.Known); !Why.empty())
      throw InputError(
          Name.append(": ")
              .append(R.Key.empty() ? "" : "register '" + R.Key + "': ")
              .append(Why));
  const Outcome Result = decideAll(Of, Name, C.Algorithm, C.Wanted);
  std::cout << (C.Json ? writeJson(Result, ATSAN_VERSION) : writeText(Result));
  std::cout.flush();
  if (!Of.operations())
    std::cerr << "atsan registers: error: " << Name
              << ": nothing was checked: the history has no operation with an "
                 "outcome; is the format right (--format)?\n";
  for (const RegisterOutcome &R : Result.Registers)
    if (R.Decided.Is == Verdict::Unknown)
      std::cerr << "atsan registers: error: " << Name << ": "
                << (R.Of->Key.empty() ? "" : "register '" + R.Of->Key + "': ")
                << R.Decided.Algorithm << " gave up: " << R.Decided.GaveUp
                << '\n';
  if (Result.count(Verdict::Violation))
    return ExitFinding;
  return Result.count(Verdict::Unknown) || !Of.operations() ? ExitBadInput
                                                            : ExitNothingFound;
}

void declareReading(CLI::App &App, ReaderOptions &O) {
  App.add_option("--format", O.Format,
                 "What the history is written in: text, edn (Jepsen and "
                 "Knossos), porcupine (logs), csv; default: what it looks like")
      ->type_name("NAME")
      ->check(CLI::IsMember(formats()).description(""));
  App.add_option("--columns", O.Columns,
                 "Of csv: the columns, as ROLE=NAME,... with the roles "
                 "process, call, return, operation, value, expected, result "
                 "and key")
      ->type_name("LIST");
  App.add_option("--initial", O.Initial,
                 "What each register holds at first (default: 0; in edn and "
                 "porcupine: nil)")
      ->type_name("VALUE");
  App.add_flag("--keyed", O.Keyed,
               "Of edn: values are pairs of a key and a value");
  declareChoice(
      App, "--failed-cas", O.Failed,
      "A compare-and-swap that failed was refused, since the value was "
      "another one (default for porcupine), or is ignored (default for edn)",
      {{"refused", FailedCas::Refused}, {"ignored", FailedCas::Ignored}})
      ->type_name("HOW");
}

} // namespace

Action declareRegisters(CLI::App &App) {
  auto C = std::make_shared<CommandLine>();
  App.add_option("HISTORY", C->File,
                 "A history of operations; - is standard input")
      ->required();
  declareReading(App, C->Reading);
  declareAlgorithm(App, C->Algorithm, "How to decide:", algorithms());
  App.add_flag("--order", C->Wanted.WantsOrder,
               "Print a linearization of each register that has one");
  App.add_option("--max-memory", C->Wanted.Given.MaxMemoryBytes,
                 "Give up on a register for which the frontier needs more than "
                 "this, such as 4GiB; 0: never (default: 1GiB)")
      ->type_name("SIZE")
      ->transform(asBytes());
  App.add_option("--max-seconds", C->Wanted.Given.MaxSeconds,
                 "Give up on a register after this time; 0: never (default: "
                 "300)")
      ->type_name("SECONDS")
      ->check(notSeconds);
  App.add_flag("--json", C->Json,
               "Print JSON (schema/atsan-registers-2.schema.json), for atsan "
               "report");
  App.footer("Exit codes: 0 every register is linearizable, 66 one is not, 2 "
             "one was not decided, there is no operation, or bad input.");
  return [C] { return run(*C); };
}

} // namespace atsan::tool
