//===- ModelFuzzer.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a text consists of: it is a model, or there is one error with its
// place. A model that is printed is the same model, and its form is stable.
//
//===----------------------------------------------------------------------===//

#include "lib/model/Lower.h"
#include "lib/model/Parser.h"
#include "lib/model/Printer.h"
#include <cstdlib>
#include <cstring>

using namespace atsan::model;

static void require(bool Condition) {
  if (!Condition)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::string Text(reinterpret_cast<const char *>(Data), Size);
  try {
    const Model M = parse(Text);
    const std::string Printed = print(M);
    const std::string Again = print(parse(Printed));
    require(Again == Printed);
    for (const Calls How : {Calls::Expand, Calls::Keep})
      try {
        lower(M, How);
      } catch (const ModelError &E) {
        require(E.At.Line >= 1 && !strchr(E.what(), '\n'));
      }
  } catch (const ModelError &E) {
    require(E.At.Line >= 1 && E.At.Column >= 1);
  }
  return 0;
}
