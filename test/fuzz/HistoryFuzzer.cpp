//===- HistoryFuzzer.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a history consists of: it is read, or there is one complaint with
// its line. What was read is in the order of calls, and is decided. The format
// is FORMAT.
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Outcome.h"
#include "lib/registers/Reader.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace atsan::registers;

static void require(bool Condition) {
  if (!Condition)
    std::abort();
}

static void checkComplaint(const std::string &Text) {
  require(Text.rfind("t:", 0) == 0);
  require(Text.find_first_of("0123456789", 2) == 2);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  size_t Read = 0;
  const ByteSource From = [&](char *To, size_t Most) {
    // Blocks that end anywhere.
    const size_t Now = std::min({Most, Size - Read, size_t(1) + Size % 61});
    std::memcpy(To, Data + Read, Now);
    Read += Now;
    return Now;
  };
  ReaderOptions O;
  O.Format = FORMAT;
  // Other formats refuse them.
  const bool IsEdn = O.Format == "edn";
  O.Keyed = IsEdn && Size % 2;
  if ((IsEdn || O.Format == "porcupine") && Size % 3)
    O.Failed = FailedCas::Refused;
  try {
    History Of = readHistory(From, "t", O);
    for (const Register &R : Of.Registers)
      require(std::is_sorted(R.Operations.begin(), R.Operations.end(),
                             [](const Operation &A, const Operation &B) {
                               return A.Call < B.Call;
                             }));
    if (Of.operations() > 12)
      return 0;
    const Outcome Result = decideAll(Of, "t", "auto", {});
    require(!writeText(Result).empty() && !writeJson(Result, "0").empty());
  } catch (const FormatError &Error) {
    checkComplaint(Error.what());
  }
  return 0;
}
