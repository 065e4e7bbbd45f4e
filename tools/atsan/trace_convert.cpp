//===- trace_convert.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan trace convert`.
//
//===----------------------------------------------------------------------===//

#include "lib/check/SharedMemory.h"
#include "lib/event/Transactions.h"
#include "lib/trace/BinaryWriter.h"
#include "lib/trace/StdWriter.h"
#include "tools/atsan/output_file.h"
#include "tools/atsan/progress.h"
#include "tools/atsan/trace.h"
#include <algorithm>
#include <iostream>

using namespace atsan::trace;

namespace atsan::tool {

namespace {

struct ConvertOptions {
  TraceInput Input;
  std::string Output;
  std::string Format;
  std::string Splits = "barrier,wait";
  std::vector<std::string> Drop;
  bool SharedOnly = false;
  bool Force = false;
};

/// Opens the trace as often as it has to be read.
class Reader {
public:
  explicit Reader(const ConvertOptions &O) : Options(O) {
    if (!O.SharedOnly)
      return;
    const std::unique_ptr<Source> Trace = O.Input.openFirst();
    Progress Bar("looking for shared memory", *Trace, false);
    for (EventSpan Span; !(Span = Trace->next()).empty();
         Bar.advance(Span.Count))
      for (const Event &E : Span)
        Memory.collect(E);
  }

  std::unique_ptr<Source> open() const {
    return filtered(Options.Input.open());
  }
  std::unique_ptr<Source> openFirst() const {
    return filtered(Options.Input.openFirst());
  }

private:
  std::unique_ptr<Source> filtered(std::unique_ptr<Source> Trace) const {
    return Options.SharedOnly ? check::onlyShared(std::move(Trace), Memory)
                              : std::move(Trace);
  }

  const ConvertOptions &Options;
  check::SharedMemory Memory;
};

StdWriterOptions writerOptions(const ConvertOptions &O) {
  StdWriterOptions Result;
  check::RegionSplits Splits;
  if (!Splits.parse(O.Splits))
    throw InputError("--region-splits=" + O.Splits +
                     ": must be none, all, or of start,join,barrier,wait");
  Result.SplitStart = Splits.Start;
  Result.SplitJoin = Splits.Join;
  Result.SplitBarrier = Splits.Barrier;
  Result.SplitWait = Splits.Wait;
  Result.DropSharedLocks = !O.Drop.empty();
  Result.Lenient = O.Input.Std.Lenient;
  return Result;
}

struct Counts {
  uint64_t Events = 0;
  uint64_t Lines = 0;
};

/// Goes through the trace twice; the second time not further than the first.
Counts writeStd(const ConvertOptions &O, const Reader &Input, Source &First,
                OutputFile &Out) {
  StdVariables Variables;
  Counts Result;
  {
    Progress Bar("collecting variables", First, false);
    for (EventSpan Span; !(Span = First.next()).empty();
         Bar.advance(Span.Count)) {
      for (const Event &E : Span)
        Variables.collect(E);
      Result.Events += Span.Count;
    }
  }
  Variables.finish();

  const std::unique_ptr<Source> Second = Input.open();
  StdWriter Writer(Second->names(), Variables, writerOptions(O));
  Progress Bar("writing", *Second, false);
  std::string Text;
  for (uint64_t Left = Result.Events; Left;) {
    EventSpan Span = Second->next();
    if (Span.empty())
      throw InputError(O.Input.File + ": the trace has changed while it was "
                                      "read; convert it again");
    Span.Count = std::min<uint64_t>(Span.Count, Left);
    Left -= Span.Count;
    for (const Event &E : Span)
      if (!Writer.write(E, Text))
        throw InputError(O.Input.File + ": " + Writer.error());
    Result.Lines += std::count(Text.begin(), Text.end(), '\n');
    Out.write(Text);
    Text.clear();
    Bar.advance(Span.Count);
  }
  return Result;
}

Counts writeBinary(const ConvertOptions &O, Source &Trace, OutputFile &Out) {
  std::string Error;
  const std::unique_ptr<BinaryWriter> Writer =
      createBinary(Out.temporary(), Trace.names(), Error);
  if (!Writer)
    throw InputError(O.Output + ": " + Error);
  Counts Result;
  Progress Bar("writing", Trace, false);
  for (EventSpan Span; !(Span = Trace.next()).empty();
       Bar.advance(Span.Count)) {
    if (!Writer->write(Span))
      throw InputError(O.Output + ": " + Writer->error());
    Result.Events += Span.Count;
  }
  if (!Writer->finish())
    throw InputError(O.Output + ": " + Writer->error());
  return Result;
}

bool endsWith(const std::string &Text, const std::string &With) {
  return Text.size() >= With.size() &&
         !Text.compare(Text.size() - With.size(), With.size(), With);
}

int convert(const ConvertOptions &O) {
  const bool IsStd =
      O.Format.empty() ? endsWith(O.Output, ".std") : O.Format == "std";
  const Reader Input(O);
  const std::unique_ptr<Source> Trace =
      IsStd ? Input.openFirst() : Input.open();
  OutputFile Out(O.Output, O.Force);
  const Counts Done =
      IsStd ? writeStd(O, Input, *Trace, Out) : writeBinary(O, *Trace, Out);
  Out.commit();
  std::cout << O.Output << ": " << Done.Events << " events";
  if (IsStd)
    std::cout << " in " << Done.Lines << " lines";
  std::cout << '\n' << std::flush;
  if (!Trace->damage().empty())
    throw InputError(Trace->damage() + ". " + O.Output +
                     " has what stands before");
  return ExitNothingFound;
}

} // namespace

Action declareTraceConvert(CLI::App &App) {
  auto O = std::make_shared<ConvertOptions>();
  O->Input.declare(App, "A trace: binary, or STD text (to binary: also -, "
                        "standard input)");
  App.add_option("-o,--output", O->Output, "The file to write")
      ->type_name("OUT")
      ->required();
  App.add_option("--format", O->Format,
                 "std or binary (default: std if OUT ends in .std)")
      ->check(CLI::IsMember({"std", "binary"}));
  App.add_flag("--force", O->Force, "Replace OUT if there is such a file");
  App.add_flag("--shared-only", O->SharedOnly,
               "Leave out accesses to memory that only one thread accesses "
               "from its birth to its death: no conflict, and so no violation, "
               "is lost");
  App.add_option("--region-splits", O->Splits,
                 "For std: boundaries within regions that become an end and a "
                 "begin: none, all, or of start,join,barrier,wait (default: "
                 "barrier,wait, which STD text cannot say otherwise)")
      ->type_name("LIST");
  App.add_option("--drop", O->Drop,
                 "For std: leave out what it cannot say: shared-locks")
      ->check(CLI::IsMember({"shared-locks"}))
      ->allow_extra_args(false);
  return [O] { return convert(*O); };
}

} // namespace atsan::tool
