//===- RegistersReader.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/RegistersReader.h"
#include "lib/report/Identity.h"
#include <algorithm>

namespace atsan::report {

static constexpr std::string_view Schema = "atsan-registers-";

/// The number of a process among the threads of the report.
static uint64_t process(const std::string &Label, Report &Out) {
  const auto Found =
      std::find_if(Out.Threads.begin(), Out.Threads.end(),
                   [&](const Thread &T) { return T.Label == Label; });
  if (Found != Out.Threads.end())
    return Found->Id;
  Thread New;
  New.Id = Out.Threads.size();
  New.Label = Label;
  Out.Threads.push_back(New);
  return New.Id;
}

static Operation operation(const Object &O, const std::string &History,
                           Report &Out) {
  Operation New;
  New.Thread = process(O.requiredString("process"), Out);
  New.What = O.requiredString("operation");
  New.Call = O.requiredNumber("call");
  New.Return = O.number("return");
  New.Frames = {lineOf(History, O.requiredNumber("line"))};
  return New;
}

static Report finding(const Object &From, const std::string &History) {
  Report Out;
  Out.Kind = From.requiredString("kind");
  Out.Message = From.requiredString("message");
  Out.Notion = From.requiredString("notion");
  Out.Program = History;
  From.each("around", [&](const Object &O) {
    Out.Operations.push_back(operation(O, History, Out));
  });
  const Operation Bad = operation(From.object("operation"), History, Out);
  const auto IsAs = [](const Operation &A) {
    return [&A](const Operation &B) {
      return A.Frames[0].Line == B.Frames[0].Line && A.Thread == B.Thread &&
             A.Call == B.Call;
    };
  };
  From.each("core", [&](const Object &O) {
    const Operation C = operation(O, History, Out);
    for (Operation &Shown : Out.Operations)
      Shown.IsCore |= IsAs(C)(Shown);
  });
  for (Operation &Shown : Out.Operations)
    Shown.IsOffending = IsAs(Bad)(Shown);
  Out.Summary = Bad.Frames[0];

  // Values and stamps vary from run to run.
  Identity Id;
  Id.add(Out.Kind);
  Id.add(History.substr(History.rfind('/') + 1));
  Id.add(From.requiredString("register"));
  Id.add(Bad.What.substr(0, Bad.What.find(' ')));
  Out.Fingerprint = Id.result('r');
  return Out;
}

static void read(const Object &From, const std::string &Name, Logs &Out) {
  requireVersion(From, Schema);
  const std::string History = From.requiredString("history");
  std::vector<Report> Found;
  From.each("findings", [&](const Object &O) {
    Found.push_back(finding(O, History));
    Found.back().Log = Name;
  });
  if (From.requiredString("verdict") == "undecided")
    throw FormatError(
        "the history " + History + " was not decided: " +
        (From.has("gave_up") ? From.string("gave_up") : "it has no operation"));
  Out.Reports.insert(Out.Reports.end(), Found.begin(), Found.end());
  Out.CheckedOperations += From.requiredNumber("operations");
  ++Out.CheckedHistories;
}

bool isRegistersOutput(std::string_view Text) { return isOutput(Text, Schema); }

void readRegistersOutput(std::string_view Text, const std::string &Name,
                         Logs &Out) {
  readOutput(Text, Name, "atsan registers", Out, read);
}

} // namespace atsan::report
