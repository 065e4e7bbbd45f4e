//===- trace_print.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `atsan trace print` and `atsan trace stats`, and the filters of both.
//
//===----------------------------------------------------------------------===//

#include "lib/trace/EventText.h"
#include "lib/trace/Filter.h"
#include "lib/trace/Statistics.h"
#include "tools/atsan/progress.h"
#include "tools/atsan/trace.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>

using namespace atsan::trace;

namespace atsan::tool {

namespace {

struct Selection {
  TraceInput Input;
  FilterOptions Wanted;
  std::vector<std::string> Addresses, Kinds;

  void declare(CLI::App &App);
  FilterOptions filter() const;
};

struct PrintOptions : Selection {
  bool Stacks = false;
};

struct StatsOptions : Selection {
  bool Json = false;
};

void Selection::declare(CLI::App &App) {
  Input.declare(App, "A trace: binary, or STD text; - is standard input");
  const auto Add = [&App](const char *Name, std::vector<std::string> &To,
                          const char *Type, const char *Help) {
    return App.add_option(Name, To, Help)
        ->type_name(Type)
        ->allow_extra_args(false)
        ->group(
            "Only events that match (an option may be repeated: any of it)");
  };
  Add("--thread", Wanted.Threads, "NAME", "Of this thread");
  Add("--region", Wanted.Regions, "NAME",
      "While its thread is in a region of this name");
  Add("--variable", Wanted.Variables, "NAME",
      "Accesses that begin at this variable");
  Add("--address", Addresses, "A[-B]",
      "Accesses, births and deaths of a byte from A to B, hexadecimal or "
      "decimal");
  Add("--lock", Wanted.Locks, "NAME", "Operations on this lock");
  Add("--kind", Kinds, "KIND,...", "Of these kinds: read, write, ...")
      ->delimiter(',');
  Add("--function", Wanted.Functions, "TEXT",
      "With TEXT in the name of a function on the stack");
  Add("--file", Wanted.Files, "TEXT",
      "With TEXT in the name of a source file on the stack");
  App.add_option("--from", Wanted.From, "From this event on, counted from 1")
      ->type_name("N")
      ->check(notPositive);
  App.add_option("--to", Wanted.To, "Up to this event")
      ->type_name("N")
      ->check(notPositive);
}

[[noreturn]] void failKind(const std::string &Text) {
  std::string Message = "--kind=" + Text + ": no kind of event; there are";
  for (unsigned K = 0; K < NumEventKinds; ++K) {
    Message += ' ';
    Message += kindName(static_cast<EventKind>(K));
  }
  throw InputError(Message);
}

FilterOptions Selection::filter() const {
  if (Wanted.From > Wanted.To)
    throw InputError("--from=" + std::to_string(Wanted.From) + " --to=" +
                     std::to_string(Wanted.To) + ": no event is between");
  FilterOptions Result = Wanted;
  for (const std::string &Text : Addresses) {
    const std::optional<ByteRange> Range = ByteRange::parse(Text);
    if (!Range)
      throw InputError("--address=" + Text +
                       ": neither a number nor two, the lower first, with - "
                       "between, as in 0x1000-0x1007");
    Result.Addresses.push_back(*Range);
  }
  for (const std::string &Text : Kinds) {
    const std::optional<EventKind> Kind = kindOf(Text);
    if (!Kind)
      failKind(Text);
    Result.Kinds.push_back(*Kind);
  }
  return Result;
}

void put(const std::string &Text) {
  if (std::fwrite(Text.data(), 1, Text.size(), stdout) != Text.size() ||
      std::fflush(stdout) != 0)
    throw InputError(std::string("<standard output>: cannot be written (") +
                     std::strerror(errno) + ")");
}

/// Calls Take(number, event) of what is wanted, and After() after some.
template <typename TakeFunction, typename AfterFunction>
void forEach(Source &Trace, const Selection &S, Progress &Bar,
             TakeFunction Take, AfterFunction After) {
  Filter Wanted(S.filter());
  uint64_t Number = 0;
  while (!Wanted.isOver()) {
    const EventSpan Span = Trace.next();
    if (Span.empty())
      break;
    for (const Event &E : Span)
      if (++Number; Wanted.take(E, Trace.names()))
        Take(Number, E);
    After();
    Bar.advance(Span.Count);
  }
}

std::string padded(std::string Text, size_t Width) {
  if (Text.size() < Width)
    Text.append(Width - Text.size(), ' ');
  return Text;
}

std::string numbered(uint64_t Number, size_t Width) {
  const std::string Text = std::to_string(Number);
  return std::string(Width - std::min(Width, Text.size()), ' ') + Text;
}

std::string eventLine(uint64_t Number, const Event &E, const Names &Known) {
  std::string Line =
      numbered(Number, 9) + "  " + padded(Known.thread(E.Thread), 6) + "  " +
      padded(kindName(E.Kind), 17) + "  " + padded(objectText(E, Known), 24) +
      "  " + (E.Location ? Known.location(E.Location) : "");
  Line.erase(Line.find_last_not_of(' ') + 1);
  return Line + "\n";
}

int print(const PrintOptions &O) {
  const std::unique_ptr<Source> Trace = O.Input.open();
  const Names &Known = Trace->names();
  std::string Text;
  bool IsNone = true;
  {
    Progress Bar("printing", *Trace, true);
    forEach(
        *Trace, O, Bar,
        [&](uint64_t Number, const Event &E) {
          IsNone = false;
          Text += eventLine(Number, E, Known);
          if (!O.Stacks || !E.Location)
            return;
          unsigned I = 0;
          for (const Frame &F : Known.stack(E.Location))
            Text += std::string(13, ' ') + "#" + std::to_string(I++) + " " +
                    frameText(F) + "\n";
        },
        [&] {
          put(Text);
          Text.clear();
        });
  }
  if (!Trace->damage().empty())
    throw InputError(Trace->damage());
  if (IsNone)
    std::cerr << "atsan trace print: note: no event matches\n";
  return ExitNothingFound;
}

int stats(const StatsOptions &O) {
  const std::unique_ptr<Source> Trace = O.Input.open();
  Statistics S;
  {
    Progress Bar("counting", *Trace, false);
    forEach(*Trace, O, Bar, [&](uint64_t, const Event &E) { S.add(E); }, [] {});
  }
  put(O.Json ? toJson(S, *Trace, O.Input.File) : toText(S, *Trace));
  if (!Trace->damage().empty())
    throw InputError(Trace->damage());
  return ExitNothingFound;
}

} // namespace

Action declareTracePrint(CLI::App &App) {
  auto O = std::make_shared<PrintOptions>();
  O->declare(App);
  App.add_flag("--stacks", O->Stacks, "Each event with its stack, if known");
  return [O] { return print(*O); };
}

Action declareTraceStats(CLI::App &App) {
  auto O = std::make_shared<StatsOptions>();
  O->declare(App);
  App.add_flag("--json", O->Json, "For programs");
  return [O] { return stats(*O); };
}

} // namespace atsan::tool
