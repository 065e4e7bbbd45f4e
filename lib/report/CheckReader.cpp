//===- CheckReader.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/CheckReader.h"
#include "lib/report/Identity.h"
#include "lib/report/JsonObject.h"
#include "lib/report/Words.h"
#include <algorithm>

using nlohmann::json;

namespace atsan::report {

namespace {

constexpr std::string_view Schema = "atsan-check-";

/// One finding of one trace.
class FindingReader {
public:
  FindingReader(const Object &From, const std::string &Trace)
      : From(From), Trace(Trace) {}

  Report read();

private:
  uint64_t thread(const std::string &Label);
  size_t memory(const std::string &Label);
  size_t region(const Object &O);
  Stack code(const Object &O) const;
  Event event(const Object &O);
  void addClosing(const Object &O, const Event &E);

  const Object &From;
  const std::string &Trace;
  Report Out;
  std::vector<uint64_t> Begins; // The number of each region's begin event.
  Identity Hash;
};

} // namespace

uint64_t FindingReader::thread(const std::string &Label) {
  auto It = std::find_if(Out.Threads.begin(), Out.Threads.end(),
                         [&](const Thread &T) { return T.Label == Label; });
  if (It != Out.Threads.end())
    return It->Id;
  Thread New;
  New.Id = Out.Threads.size();
  New.Label = Label;
  Out.Threads.push_back(New);
  return New.Id;
}

size_t FindingReader::memory(const std::string &Label) {
  for (size_t I = 0; I != Out.Objects.size(); ++I)
    if (Out.Objects[I].Label == Label)
      return I;
  Memory New;
  New.Address = New.Label = Label;
  New.Kind = "variable";
  Out.Objects.push_back(New);
  return Out.Objects.size() - 1;
}

/// The code of an event. Text traces have numbers for places, which only their
/// writer understands. The event's number is its line there.
Stack FindingReader::code(const Object &O) const {
  Stack Frames = readStack(O, "stack");
  const std::optional<uint64_t> Number = O.number("event");
  if (!Frames.empty() || !Number || !O.has("location"))
    return Frames;
  return {lineOf(Trace, *Number)};
}

size_t FindingReader::region(const Object &O) {
  const uint64_t Begin = O.requiredNumber("event");
  auto It = std::find(Begins.begin(), Begins.end(), Begin);
  if (It != Begins.end())
    return It - Begins.begin();
  Region New;
  New.Name = O.string("name");
  New.Title = O.requiredString("title");
  New.Thread = thread(O.requiredString("thread"));
  New.Run = O.number("run").value_or(0);
  New.Begin = code(O);
  Out.Regions.push_back(std::move(New));
  Begins.push_back(Begin);
  return Begins.size() - 1;
}

Event FindingReader::event(const Object &O) {
  Event E;
  E.Thread = thread(O.requiredString("thread"));
  E.Transaction = O.number("transaction").value_or(0);
  E.Access = O.requiredString("operation");
  E.Role = E.Access;
  if (const std::string Variable = O.string("variable"); !Variable.empty()) {
    E.Role = "access";
    E.Memory = memory(Variable);
    E.Address = Variable;
    E.Size = O.number("size").value_or(0);
  }
  for (const char *Key : {"lock", "other_thread"})
    if (O.has(Key))
      E.Role += " of " + O.string(Key);
  if (O.has("region"))
    E.Region = region(O.object("region"));
  E.Frames = code(O);
  return E;
}

/// Takes what the finding is, and where, from the event that closes the cycle.
void FindingReader::addClosing(const Object &O, const Event &E) {
  if (const Frame *Place = userFrame(E.Frames))
    Out.Summary = *Place;
  if (E.Region) {
    const Region &In = Out.Regions[*E.Region];
    if (In.Name.empty())
      Hash.addCode(In.Begin);
    else
      Hash.add(In.Name);
  }
  Hash.add(E.Role);
  Hash.add(E.Access);
  // Text traces have names for places; other traces the code, here without its
  // lines.
  if (O.has("stack"))
    Hash.addCode(E.Frames);
  else
    Hash.add(O.string("location"));
  if (E.Address.compare(0, 2, "0x") != 0)
    Hash.add(E.Address);
}

Report FindingReader::read() {
  Out.Kind = From.requiredString("kind");
  Out.Message = From.requiredString("message");
  Out.Shape = From.string("shape");
  Out.Notion = From.requiredString("notion");
  Out.Program = Trace;
  Hash.add(Out.Kind);
  const std::optional<uint64_t> Closing = From.number("event");
  bool IsClosed = false;
  From.each("relations", [&](const Object &O) {
    Step S = {event(O.object("first")), event(O.object("later")),
              O.requiredString("why")};
    for (const char *Key : {"later", "first"})
      if (const Object End = O.object(Key);
          !IsClosed && (!Closing || End.number("event") == Closing)) {
        addClosing(End, *Key == 'l' ? S.Later : S.First);
        IsClosed = true;
      }
    // From one step to the next, the cycle goes on in one thread anyway.
    if (Out.isPotential() || S.Why != "program order")
      Out.Steps.push_back(std::move(S));
  });
  From.each("blamed",
            [&](const Object &O) { Out.Regions[region(O)].Blamed = true; });
  if (const std::string Verdict = verdictWords(Out);
      !Out.isPotential() && !Verdict.empty())
    Out.Message = Verdict;
  Out.Fingerprint = Hash.result('c');
  return std::move(Out);
}

bool isCheckOutput(std::string_view Text) { return isOutput(Text, Schema); }

static void read(const Object &From, const std::string &Name, Logs &Out) {
  requireVersion(From, Schema);
  const std::string Trace = From.requiredString("trace");
  std::vector<Report> Found;
  From.each("findings", [&](const Object &O) {
    Found.push_back(FindingReader(O, Trace).read());
    Found.back().Log = Name;
  });
  if (From.requiredString("verdict") == "undecided")
    throw FormatError("the trace " + Trace + " was not decided: " +
                      (From.has("damage") ? From.string("damage")
                       : From.has("gave_up")
                           ? From.string("gave_up")
                           : "it has no region; mark some, and record it "
                             "anew"));
  Out.Reports.insert(Out.Reports.end(), Found.begin(), Found.end());
  Out.CheckedEvents += From.requiredNumber("events");
  ++Out.CheckedTraces;
}

void readCheckOutput(std::string_view Text, const std::string &Name,
                     Logs &Out) {
  readOutput(Text, Name, "atsan check", Out, read);
}

} // namespace atsan::report
