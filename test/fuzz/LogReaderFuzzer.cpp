//===- LogReaderFuzzer.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever is in a log and in a baseline: reading does not crash, no line is
// lost without a word, and what is written is well-formed.
//
//===----------------------------------------------------------------------===//

#include "lib/report/LogReader.h"
#include "lib/report/Writers.h"
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace atsan::report;

static void require(bool Condition) {
  if (!Condition)
    std::abort();
}

static void fuzzBaseline(std::string_view Text) {
  try {
    const Baseline First = parseBaseline(Text, "baseline");
    require(parseBaseline(formatBaseline(First), "again") == First);
  } catch (const std::runtime_error &) {
    // The message for the user.
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::string_view Text(reinterpret_cast<const char *>(Data), Size);
  fuzzBaseline(Text);

  Logs Read;
  readLog(Text, "log\xff", Read);
  const size_t Lines = std::count(Text.begin(), Text.end(), '\n') + 1;
  require(Read.Reports.size() + Read.Problems.size() + Read.OtherLines <=
          Lines);
  require(Text.find_first_not_of('\n') == Text.npos || !Read.Reports.empty() ||
          !Read.Problems.empty() || Read.OtherLines);

  Summary S;
  S.Findings = collectFindings(Read.Reports);
  S.Problems = Read.Problems;
  S.Reports = Read.Reports.size();
  S.HasBaseline = Size % 2;
  Baseline Known;
  addToBaseline(S.Findings, Known);
  require(compareWithBaseline(Known, S.Findings) == 0);
  require(S.newFindings() == 0);

  const Places P("/code/src");
  writeText(S, P);
  writeJUnit(S, P);
  writeHtml(S, P);
  require(nlohmann::json::accept(writeSarif(S, P, "0")));
  return 0;
}
