//===- Open.cpp -----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/Open.h"
#include "lib/trace/BinaryReader.h"
#include "lib/trace/Guard.h"

using namespace atsan::trace;

namespace {

/// A binary trace up to what no run can have made. (The text's reader numbers
/// things itself.)
class Guarded final : public Source {
public:
  Guarded(std::unique_ptr<Source> From, std::string Name)
      : From(std::move(From)), Name(std::move(Name)) {}

  EventSpan next() override {
    if (!Damage.empty())
      return {};
    const EventSpan Passed = Sane.pass(From->next());
    if (!Sane.problem().empty())
      Damage = Name + ": " + Sane.problem();
    return Passed;
  }
  const std::string &damage() const override {
    return Damage.empty() ? From->damage() : Damage;
  }
  const Names &names() const override { return From->names(); }
  uint64_t bytesRead() const override { return From->bytesRead(); }
  uint64_t bytesTotal() const override { return From->bytesTotal(); }

private:
  std::unique_ptr<Source> From;
  std::string Name, Damage;
  Guard Sane;
};

} // namespace

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
    if (Path == "-") {
      Error = From->name() + ": a binary trace is read out of order, which " +
              "standard input does not allow; name the file";
      return nullptr;
    }
    std::unique_ptr<Source> Binary = openBinary(Path, Error);
    if (!Binary)
      return nullptr;
    return std::make_unique<Guarded>(std::move(Binary), Path);
  }
  if (Start.empty()) {
    Error = From->name() + ": the trace is empty; was it written?";
    return nullptr;
  }
  if (Start.substr(0, 4) == "\177ELF") {
    Error = From->name() + ": the file is a program and no trace; run it with "
                           "ATSAN_OPTIONS=trace=FILE, and name FILE";
    return nullptr;
  }
  if (const char *Program = unpacker(Start)) {
    Error = From->name() + ": the trace is packed; unpack it with " + Program +
            " -d";
    return nullptr;
  }
  return std::make_unique<StdReader>(std::move(From), O);
}
