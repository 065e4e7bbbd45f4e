//===- StdReaderFuzzer.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a text consists of: it is read to the end, or up to one complaint
// with its place. What was read is written as text with the same events.
//
//===----------------------------------------------------------------------===//

#include "lib/trace/StdReader.h"
#include "lib/trace/StdWriter.h"
#include <algorithm>
#include <cstdlib>

using namespace atsan::trace;

static void require(bool Condition) {
  if (!Condition)
    std::abort();
}

static std::vector<Event> read(StdReader &Reader) {
  std::vector<Event> Events;
  for (EventSpan Span; !(Span = Reader.next()).empty();)
    Events.insert(Events.end(), Span.begin(), Span.end());
  return Events;
}

static std::string write(const std::vector<Event> &Events, const Names &Known) {
  StdVariables Variables;
  for (const Event &E : Events)
    Variables.collect(E);
  Variables.finish();
  StdWriterOptions O;
  O.Lenient = true;
  StdWriter Writer(Known, Variables, O);
  std::string Text;
  for (const Event &E : Events)
    require(Writer.write(E, Text));
  return Text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::string Text(reinterpret_cast<const char *>(Data), Size);
  const bool Lenient = Size % 2;
  StdReader Reader(Input::ofText(Text, "t"), {Lenient});
  const std::vector<Event> Events = read(Reader);
  // The reader does not see a byte order mark.
  const std::string Seen = Text.substr(Text.rfind("\xef\xbb\xbf", 0) ? 0 : 3);
  const size_t Lines = std::count(Seen.begin(), Seen.end(), '\n');
  const bool EndsWithin = !Seen.empty() && Seen.back() != '\n';
  if (Reader.damage().empty()) {
    require(Events.size() == Lines + EndsWithin);
  } else {
    // The line after the last event.
    require(Reader.damage().rfind(
                "t:" + std::to_string(Events.size() + 1) + ":", 0) == 0);
    require(Reader.damage().find('\n') == std::string::npos);
    require(Events.size() < Lines + EndsWithin);
  }

  const std::string Written = write(Events, Reader.names());
  StdReader Again(Input::ofText(Written, "again"), {Lenient});
  const std::vector<Event> Same = read(Again);
  require(Again.damage().empty());
  require(Same.size() == Events.size());
  for (size_t I = 0; I < Same.size(); ++I) {
    require(Same[I].Kind == Events[I].Kind);
    require(Same[I].Thread == Events[I].Thread);
    require(Same[I].Address == Events[I].Address);
    require(Same[I].Location == Events[I].Location);
  }
  require(write(Same, Again.names()) == Written);
  return 0;
}
