//===- LogReader.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/LogReader.h"
#include "lib/report/CheckReader.h"
#include "lib/report/Files.h"
#include "lib/report/JsonObject.h"
#include "lib/report/RegistersReader.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

using nlohmann::json;
namespace fs = std::filesystem;

namespace atsan::report {

namespace {

constexpr std::string_view Begin = "{\"schema\":\"atsan-report-";
constexpr std::string_view ProcessBegin = "{\"schema\":\"atsan-process-";
constexpr std::string_view Version = "1";

/// An index into an array of \p Size members.
std::optional<size_t> readIndex(const Object &From, const char *Key,
                                size_t Size) {
  std::optional<uint64_t> Value = From.number(Key);
  if (Value && *Value >= Size)
    From.fail(std::string("has a '") + Key + "' that does not exist");
  return Value;
}

Event readEvent(const Object &From, const Report &Of) {
  Event Out;
  Out.Role = From.requiredString("role");
  if (Out.Role == "operation") // What it is says more.
    Out.Role = From.requiredString("operation");
  Out.Thread = From.number("thread");
  Out.Transaction = From.requiredNumber("transaction");
  Out.Region = readIndex(From, "region", Of.Regions.size());
  Out.Access = From.string("access");
  Out.Size = From.number("size").value_or(0);
  Out.Address = From.string("address");
  Out.IsBegin = From.flag("is_begin");
  Out.Memory = readIndex(From, "memory", Of.Objects.size());
  Out.Frames = readStack(From, "stack");
  return Out;
}

void readCycle(const Object &From, Report &Out) {
  From.each("regions", [&](const Object &O) {
    Region R;
    R.Name = O.string("name");
    R.Title = O.requiredString("title");
    R.Thread = O.requiredNumber("thread");
    R.Run = O.number("run").value_or(0);
    R.Blamed = O.flag("blamed");
    R.Begin = readStack(O, "begin");
    R.Split = readStack(O, "split");
    Out.Regions.push_back(std::move(R));
  });
  From.each("memory", [&](const Object &O) {
    Memory M;
    M.Address = O.requiredString("address");
    M.Kind = O.requiredString("kind");
    M.Label = O.requiredString("label");
    M.Name = O.string("name");
    M.File = O.string("file");
    M.Line = readPosition(O, "line");
    M.Allocation = readStack(O, "allocation");
    Out.Objects.push_back(std::move(M));
  });
  From.each("steps", [&](const Object &O) {
    Event First = readEvent(O.object("first"), Out);
    Event Later = readEvent(O.object("later"), Out);
    Out.Steps.push_back({std::move(First), std::move(Later), O.string("why")});
  });
}

Report readReport(const Object &From) {
  Report Out;
  Out.Kind = From.requiredString("kind");
  Out.Message = From.requiredString("message");
  Out.Fingerprint = From.requiredString("fingerprint");
  Out.Notion = From.string("notion");
  Out.Shape = From.string("shape");
  Out.Program = From.string("program");
  Out.Suppression = From.string("suppression");
  Out.Pid = From.requiredNumber("pid");
  if (From.has("summary"))
    Out.Summary = readFrame(From.object("summary"));
  From.each("threads", [&](const Object &O) {
    Thread T;
    T.Id = O.requiredNumber("id");
    T.Name = O.string("name");
    T.Parent = O.number("parent");
    T.Creation = readStack(O, "creation");
    Out.Threads.push_back(std::move(T));
  });
  readCycle(From, Out);
  if (From.has("prediction")) {
    const Object Prediction = From.object("prediction");
    Out.RecordedOrder = Prediction.string("recorded");
    Out.ForcedOrder = Prediction.string("forced");
  }
  Out.Use = readStack(From, "stack");
  return Out;
}

Process readProcess(const Object &From) {
  Process Out;
  Out.Pid = From.requiredNumber("pid");
  Out.Program = From.string("program");
  Out.Ended = From.flag("ended");
  Out.Modules = From.requiredNumber("modules");
  Out.Regions = From.requiredNumber("regions");
  Out.Excluded = From.number("excluded").value_or(0);
  Out.Places = From.number("places").value_or(0);
  Out.LeftOpen = From.string("left_open");
  return Out;
}

/// Reads one line, a report or a record, without its line break. \p Begin is
/// how lines of this kind begin, up to their version.
template <class T>
T parseLine(std::string_view Line, std::string_view Begin,
            T (*Read)(const Object &)) {
  std::string_view Rest = Line.substr(Begin.size());
  if (size_t End = Rest.find('"'); Rest.substr(0, End) != Version)
    throw FormatError("the report is of version " +
                      std::string(Rest.substr(0, std::min(End, size_t(8)))) +
                      " of its format, but this program reads version " +
                      std::string(Version) +
                      "; use the atsan of the release that the program was "
                      "built with");
  try {
    return Read(Object(json::parse(Line), ""));
  } catch (const json::exception &) {
    throw FormatError(
        Line.back() == '}'
            ? "the report is damaged; run the program again"
            : "the report is cut off; run the program again, with a "
              "log_path on a disk that is not full");
  }
}

/// Names of files and what is quoted from them may have any bytes.
std::string asUtf8(const std::string &Text) {
  return json::parse(
      json(Text).dump(-1, ' ', false, json::error_handler_t::replace));
}

/// Adds a record. The one at the end of a process replaces the one that it left
/// at its first region.
void addProcess(Process New, std::vector<Process> &To) {
  for (Process &Old : To)
    if (!Old.Ended && Old.Log == New.Log && Old.Pid == New.Pid &&
        Old.Program == New.Program) {
      Old = std::move(New);
      return;
    }
  To.push_back(std::move(New));
}

/// Does a report for people begin here? What it says can be neither compared
/// nor counted.
bool isTextReport(std::string_view Line) {
  static constexpr std::string_view Headings[] = {
      "ERROR: AtomicitySanitizer: atomicity violation",
      "WARNING: AtomicitySanitizer: region may not be atomic",
      "SUMMARY: AtomicitySanitizer: atomicity-violation",
      "SUMMARY: AtomicitySanitizer: irreducible-region",
      "SUMMARY: AtomicitySanitizer: linearizability-violation",
      "SUMMARY: AtomicitySanitizer: region-end-without-begin"};
  return std::any_of(std::begin(Headings), std::end(Headings),
                     [&](std::string_view Heading) {
                       return Line.find(Heading) != Line.npos;
                     });
}

/// Why a whole file can be no log; empty: it may be one.
std::string whyNoLog(std::string_view Text) {
  if (Text.substr(0, 4) == "\177ELF")
    return "is a program and no log; run it with "
           "ATSAN_OPTIONS=report_format=json:log_path=FILE, and name FILE.PID";
  const size_t First = Text.find_first_not_of(" \t\r\n");
  if (First == Text.npos || (Text[First] != '{' && Text[First] != '['))
    return "";
  if (Text.find(Begin) == Text.npos && Text.find(ProcessBegin) == Text.npos &&
      json::accept(Text))
    return "is JSON, but nothing that AtomicitySanitizer wrote with "
           "report_format=json; is the path right?";
  return "";
}

bool looksDamaged(std::string_view Line) {
  return !Line.empty() && Line.front() == '{' && !json::accept(Line);
}

} // namespace

void readLog(std::string_view Text, const std::string &Name, Logs &Out) {
  if (isCheckOutput(Text))
    return readCheckOutput(Text, asUtf8(Name), Out);
  if (isRegistersOutput(Text))
    return readRegistersOutput(Text, asUtf8(Name), Out);
  if (const std::string Why = whyNoLog(Text); !Why.empty()) {
    Out.Problems.push_back(asUtf8(Name + ": the file " + Why));
    return;
  }
  bool HasTextReport = false;
  for (size_t Number = 1; !Text.empty(); ++Number) {
    size_t End = std::min(Text.find('\n'), Text.size());
    std::string_view Line = Text.substr(0, End);
    Text.remove_prefix(std::min(End + 1, Text.size()));
    auto Complain = [&](const std::string &What) {
      std::string Problem = Name;
      Problem += ':' + std::to_string(Number) + ": " + What;
      Out.Problems.push_back(asUtf8(Problem));
    };
    // Something that the program printed may stand before it in the line.
    size_t At = Line.find(Begin);
    const size_t ProcessAt = Line.find(ProcessBegin);
    if (At == Line.npos && ProcessAt == Line.npos) {
      if (isTextReport(Line)) {
        if (!HasTextReport)
          Complain(
              "the report is text, for people; run the program again, with "
              "ATSAN_OPTIONS=report_format=json");
        HasTextReport = true;
      } else if (looksDamaged(Line))
        Complain("the line begins like JSON and is none; run the program "
                 "again, with a log_path of its own");
      else if (!Line.empty())
        ++Out.OtherLines;
      continue;
    }
    try {
      if (At == Line.npos) {
        Process Of =
            parseLine(Line.substr(ProcessAt), ProcessBegin, readProcess);
        Of.Log = Name;
        addProcess(std::move(Of), Out.Processes);
        continue;
      }
      Out.Reports.push_back(parseLine(Line.substr(At), Begin, readReport));
      Out.Reports.back().Log = Name;
    } catch (const FormatError &Error) {
      Complain(Error.what());
    }
  }
}

static void readLogFile(const std::string &Name, Logs &Out) {
  std::string Text;
  const bool Complete = readFile(Name, Text);
  const int Reason = errno;
  readLog(Text, Name, Out);
  if (!Complete)
    Out.Problems.push_back(asUtf8(Name + ": the file cannot be read (" +
                                  std::strerror(Reason) +
                                  "); is the path right?"));
}

void readLogs(const std::string &Path, Logs &Out) {
  std::error_code Failed;
  std::vector<std::string> Files;
  if (fs::is_directory(Path, Failed))
    for (const auto &Entry : fs::directory_iterator(Path, Failed))
      if (!fs::is_directory(Entry.path(), Failed))
        Files.push_back(Entry.path().string());
  if (Failed || !fs::is_directory(Path))
    Files.push_back(Path);
  std::sort(Files.begin(), Files.end());
  for (const std::string &File : Files)
    readLogFile(File, Out);
}

} // namespace atsan::report
