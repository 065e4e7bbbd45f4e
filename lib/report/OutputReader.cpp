//===- OutputReader.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/OutputReader.h"
#include "lib/finding/Json.h"

using nlohmann::json;

namespace atsan::report {

using finding::FormatError;
using finding::Object;

namespace {

/// What the commands call things.
struct Format {
  std::string_view Schema; ///< Its name, without the version.
  const char *Command;
  const char *Input;   ///< What was decided; a member by this name names it.
  const char *Size;    ///< The member that says how large that was.
  const char *IsEmpty; ///< Why it was not decided, if nothing else says so.
  size_t Logs::*Decided;
  uint64_t Logs::*Sizes;
};

constexpr Format Formats[] = {
    {"atsan-check-", "atsan check", "trace", "events",
     "it has no region; mark some, and record it anew", &Logs::CheckedTraces,
     &Logs::CheckedEvents},
    {"atsan-registers-", "atsan registers", "history", "operations",
     "it has no operation", &Logs::CheckedHistories, &Logs::CheckedOperations},
};

/// `atsan model` says what it found in a run in the words of a trace.
bool isOfModel(const Object &From) {
  const std::string By = From.string("algorithm");
  return By == "serializable" || By == "linearizable" || By == "predictive";
}

constexpr std::string_view Version = "2";

} // namespace

static bool isOf(const Format &F, std::string_view Text) {
  const size_t At = Text.find(F.Schema);
  return At < 32 && Text.substr(0, At).find("\"schema\"") != Text.npos;
}

static std::string whyUndecided(const Format &F, const Object &From) {
  for (const char *Key : {"damage", "gave_up"})
    if (From.has(Key))
      return From.string(Key);
  return F.IsEmpty;
}

static void read(const Format &F, const Object &From, const std::string &Name,
                 Logs &Out) {
  const std::string Is =
      From.requiredString("schema").substr(F.Schema.size(), 8);
  if (Is != Version)
    throw FormatError("the output is of version " + Is +
                      " of its format, but this program reads version " +
                      std::string(Version) + "; run '" + F.Command +
                      "' of this release again");
  const bool IsModel = isOfModel(From);
  const std::string Input = From.requiredString(F.Input);
  // What was found before the damage counts, but is not all.
  const bool IsUndecided = From.requiredString("verdict") == "undecided" ||
                           From.has("damage") || From.has("gave_up");
  std::vector<Finding> Found;
  From.each("findings", [&](const Object &O) {
    Found.push_back(finding::fromJson(O));
    Found.back().Log = Name;
    Found.back().Program = Input;
  });
  Out.Reports.insert(Out.Reports.end(), Found.begin(), Found.end());
  if (IsUndecided)
    throw FormatError(
        std::string("the ") + (IsModel ? "model" : F.Input) + ' ' + Input +
        (Found.empty() ? " was not decided: " : " was decided in part only: ") +
        whyUndecided(F, From));
  if (IsModel) {
    ++Out.CheckedModels;
    return;
  }
  Out.*F.Sizes += From.requiredNumber(F.Size);
  ++(Out.*F.Decided);
}

bool readOutput(std::string_view Text, const std::string &Name, Logs &Out) {
  for (const Format &F : Formats) {
    if (!isOf(F, Text))
      continue;
    try {
      read(F, Object(json::parse(Text), ""), Name, Out);
    } catch (const FormatError &Error) {
      Out.Problems.push_back(Name + ": " + Error.what());
    } catch (const json::exception &) {
      Out.Problems.push_back(Name + ": the output of " + F.Command +
                             " is damaged or cut off; run it again");
    }
    return true;
  }
  return false;
}

} // namespace atsan::report
