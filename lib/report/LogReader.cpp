//===- LogReader.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/LogReader.h"
#include "lib/base/FileError.h"
#include "lib/event/BinaryFormat.h"
#include "lib/finding/Json.h"
#include "lib/report/Files.h"
#include "lib/report/Findings.h"
#include "lib/report/OutputReader.h"
#include <algorithm>
#include <cerrno>
#include <filesystem>

using nlohmann::json;
namespace fs = std::filesystem;

namespace atsan::report {

using finding::FormatError;
using finding::Object;

namespace {

constexpr std::string_view Begin = "{\"schema\":\"atsan-report-";
constexpr std::string_view ProcessBegin = "{\"schema\":\"atsan-process-";

Finding readReport(const Object &From) {
  Finding Out = finding::fromJson(From);
  Out.Program = From.string("program");
  Out.Pid = From.requiredNumber("pid");
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
  Out.Operations = From.number("operations").value_or(0);
  Out.LeftOpen = From.string("left_open");
  return Out;
}

/// Reads one line, a report or a record, without its line break. \p Begin is
/// how lines of this kind begin, up to their version.
template <class T>
T parseLine(std::string_view Line, std::string_view Begin,
            T (*Read)(const Object &)) {
  std::string_view Rest = Line.substr(Begin.size());
  if (const std::string_view Version = Rest.substr(0, Rest.find('"'));
      Version != "1" && Version != "2")
    throw FormatError("the report is of version " +
                      std::string(Version.substr(0, 8)) +
                      " of its format, but this program reads versions 1 and "
                      "2; use the atsan of the release that the program was "
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

/// The error that a line says a program has ended with, such as "SEGV on
/// unknown address 0x0"; empty: none.
std::string errorIn(std::string_view Line) {
  constexpr std::string_view Heading = "ERROR: AtomicitySanitizer: ";
  const size_t At = Line.find(Heading);
  if (At == Line.npos)
    return "";
  Line.remove_prefix(At + Heading.size());
  return std::string(Line.substr(0, Line.find(" (")));
}

/// Why a whole file can be no log; empty: it may be one.
std::string whyNoLog(std::string_view Text) {
  if (Text.substr(0, 4) == "\177ELF")
    return "is a program and no log; run it with "
           "ATSAN_OPTIONS=report_format=json:log_path=FILE, and name FILE.PID";
  using trace::binary::FileMagic;
  if (Text.substr(0, sizeof FileMagic) ==
      std::string_view(FileMagic, sizeof FileMagic))
    return "is a trace and no log; 'atsan check' decides it, and what that "
           "writes with --json can be read here";
  const size_t First = Text.find_first_not_of(" \t\r\n");
  if (First == Text.npos || (Text[First] != '{' && Text[First] != '['))
    return "";
  if (Text.find(Begin) != Text.npos || Text.find(ProcessBegin) != Text.npos ||
      !json::accept(Text))
    return "";
  if (Text.find("\"atsan-model-1\"") != Text.npos)
    return "is what 'atsan model' writes with --causal or --coverable, which "
           "has no findings to compare; with --html=FILE it writes a page";
  return "is JSON, but nothing that AtomicitySanitizer wrote with "
         "report_format=json; is the path right?";
}

bool looksDamaged(std::string_view Line) {
  return !Line.empty() && Line.front() == '{' && !json::accept(Line);
}

} // namespace

void readLog(std::string_view Text, const std::string &Name, Logs &Out) {
  if (readOutput(Text, asUtf8(Name), Out))
    return;
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
      } else if (const std::string Error = errorIn(Line); !Error.empty())
        Complain("the program ended with an error (" + Error +
                 "), and what it would have done was not checked; the lines "
                 "below say more");
      else if (looksDamaged(Line))
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

/// Is this what is made of logs, a baseline or SARIF?
static bool isMadeOfLogs(std::string_view Text) {
  if (Text.substr(0, 1) != "{" || Text.substr(0, Begin.size()) == Begin)
    return false;
  const json Value = json::parse(Text, nullptr, /*allow_exceptions=*/false);
  const auto Has = [&](const char *Where, const char *What) {
    const json::json_pointer At(Where);
    return Value.contains(At) && Value[At] == What;
  };
  return Has("/schema", BaselineSchema) ||
         Has("/runs/0/tool/driver/name", "AtomicitySanitizer");
}

static void readLogFile(const std::string &Name, bool IsOfFolder, Logs &Out) {
  std::string Text;
  const bool Complete = readFile(Name, Text);
  const int Reason = errno;
  // What stands beside logs is not named by the user.
  if (IsOfFolder && Complete && isMadeOfLogs(Text))
    return;
  readLog(Text, Name, Out);
  if (!Complete)
    Out.Problems.push_back(
        asUtf8(cannotRead(Name, Reason) + "; is the path right?"));
}

void readLogs(const std::string &Path, Logs &Out) {
  std::error_code Failed, Unknown;
  std::vector<std::string> Files;
  if (fs::is_directory(Path, Failed))
    for (const auto &Entry : fs::directory_iterator(Path, Failed))
      // A pipe has no end while nobody writes to it.
      if (const fs::file_status Is = fs::status(Entry.path(), Unknown);
          !fs::is_directory(Is) && !fs::is_other(Is))
        Files.push_back(Entry.path().string());
  if (Failed || !fs::is_directory(Path))
    Files.push_back(Path);
  std::sort(Files.begin(), Files.end());
  for (const std::string &File : Files)
    readLogFile(File, File != Path, Out);
}

} // namespace atsan::report
