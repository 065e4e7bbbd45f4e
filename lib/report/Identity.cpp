//===- Identity.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/report/Identity.h"
#include "lib/report/Words.h"
#include <algorithm>
#include <cstdio>

using nlohmann::json;

namespace atsan::report {

constexpr std::string_view Version = "1";

void Identity::add(const std::string &Text) {
  for (size_t I = 0; I <= Text.size(); ++I)
    Value = (Value ^ static_cast<unsigned char>(Text.c_str()[I])) *
            0x100000001b3ull;
}

void Identity::addCode(const Stack &Frames) {
  const Frame *F = userFrame(Frames);
  add(F ? F->Function : "no stack");
  add(F ? F->File.substr(F->File.rfind('/') + 1) : "");
}

std::string Identity::result(char Tool) const {
  char Text[32];
  snprintf(Text, sizeof Text, "%c1-%016llx", Tool,
           static_cast<unsigned long long>(Value));
  return Text;
}

Frame lineOf(const std::string &File, uint64_t Line) {
  Frame Out;
  Out.File = File;
  Out.Line = static_cast<unsigned>(std::min<uint64_t>(Line, 0x7fffffff));
  return Out;
}

bool isOutput(std::string_view Text, std::string_view Schema) {
  const size_t At = Text.find(Schema);
  return At < 32 && Text.substr(0, At).find("\"schema\"") != Text.npos;
}

void requireVersion(const Object &From, std::string_view Schema) {
  const std::string Is = From.requiredString("schema");
  if (Is.substr(Schema.size()) != Version)
    throw FormatError(
        "the output is of version " + Is.substr(Schema.size(), 8) +
        " of its format, but this program reads version " +
        std::string(Version) + "; use the atsan of the release that wrote it");
}

void readOutput(std::string_view Text, const std::string &Name,
                const char *Tool, Logs &Out,
                void (*Read)(const Object &, const std::string &, Logs &)) {
  try {
    Read(Object(json::parse(Text), ""), Name, Out);
  } catch (const FormatError &Error) {
    Out.Problems.push_back(Name + ": " + Error.what());
  } catch (const json::exception &) {
    Out.Problems.push_back(Name + ": the output of " + Tool +
                           " is damaged or cut off; run it again");
  }
}

} // namespace atsan::report
