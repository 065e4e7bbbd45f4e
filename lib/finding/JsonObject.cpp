//===- JsonObject.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/finding/JsonObject.h"

namespace atsan::finding {

unsigned readPosition(const Object &From, const char *Key) {
  uint64_t Value = From.number(Key).value_or(0);
  if (Value > 0x7fffffff)
    From.fail(std::string("has a '") + Key + "' that is too large");
  return static_cast<unsigned>(Value);
}

Frame readFrame(const Object &From) {
  Frame Out;
  Out.Function = From.string("function");
  Out.File = From.string("file");
  Out.Line = readPosition(From, "line");
  Out.Column = readPosition(From, "column");
  Out.Module = From.string("module");
  Out.Offset = From.string("offset");
  return Out;
}

Stack readStack(const Object &From, const char *Key) {
  Stack Out;
  From.each(Key, [&](const Object &O) { Out.push_back(readFrame(O)); });
  return Out;
}

} // namespace atsan::finding
