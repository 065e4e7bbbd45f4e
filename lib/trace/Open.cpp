//===- Open.cpp -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trace/Open.h"
#include "trace/BinaryReader.h"

using namespace atsan::trace;

/// The program that unpacks what begins like this; null: it is not packed.
static const char *unpacker(std::string_view Start) {
  const auto Begins = [Start](std::string_view With) {
    return Start.substr(0, With.size()) == With;
  };
  return Begins("\x1f\x8b") ? "gzip"
         : Begins("\xfd"
                  "7zXZ")
             ? "xz"
         : Begins("\x28\xb5\x2f\xfd") ? "zstd"
                                      : nullptr;
}

std::unique_ptr<Source> atsan::trace::open(const std::string &Path,
                                           std::string &Error,
                                           const StdOptions &O) {
  std::unique_ptr<Input> From = Input::open(Path, Error);
  if (!From)
    return nullptr;
  const std::string_view Start = From->start();
  if (isBinaryTrace(Start.data(), Start.size())) {
    if (Path != "-")
      return openBinary(Path, Error);
    Error = From->name() + ": a binary trace is read out of order, which " +
            "standard input does not allow; name the file";
    return nullptr;
  }
  if (Start.empty()) {
    Error = From->name() + ": the trace is empty; was it written?";
    return nullptr;
  }
  if (const char *Program = unpacker(Start)) {
    Error = From->name() + ": the trace is packed; unpack it with " + Program +
            " -d";
    return nullptr;
  }
  return std::make_unique<StdReader>(std::move(From), O);
}
