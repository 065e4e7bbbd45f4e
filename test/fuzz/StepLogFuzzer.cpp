//===- StepLogFuzzer.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a log of steps consists of: it is read, or there is one complaint
// that fits in a line; what was read can be looked up.
//
//===----------------------------------------------------------------------===//

#include "lib/predict/StepLog.h"
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::string Text(reinterpret_cast<const char *>(Data), Size);
  atsan::predict::StepLog Log;
  const std::string Wrong = Log.read(Text);
  if (Wrong.find('\n') != std::string::npos)
    std::abort();
  for (size_t I = 0; I != Log.events().size(); ++I)
    if (Log.where(I + 1).empty() || Log.path(Log.events()[I].Thread).empty())
      std::abort();
  return 0;
}
