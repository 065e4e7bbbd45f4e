//===- Source.cpp ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A report may be older than the file that it names, and the name may be any:
// what is no source code is passed over without a word.
//
//===----------------------------------------------------------------------===//

#include "lib/report/Source.h"
#include "lib/base/Printable.h"
#include "lib/report/Files.h"
#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace atsan::report {

static constexpr unsigned LinesBeside = 3;
static constexpr size_t LongLine = 160; ///< The most characters to show.
static constexpr uintmax_t HugeFile = 16 << 20; ///< More bytes are not read.

/// The line as valid UTF-8 without control characters, and not longer than what
/// one looks at.
static std::string readable(const std::string &Line) {
  std::string Out;
  size_t Characters = 0;
  for (size_t I = 0; I < Line.size(); ++Characters) {
    if (Characters == LongLine)
      return Out + "\u2026";
    const unsigned long Length = atsan_text::SequenceLength(
        reinterpret_cast<const unsigned char *>(Line.c_str()) + I);
    const bool IsControl =
        static_cast<unsigned char>(Line[I]) < 0x20 && Line[I] != '\t';
    if (!Length)
      Out += "\ufffd";
    else if (!IsControl)
      Out += Line.substr(I, Length);
    I += Length ? Length : 1;
  }
  return Out;
}

/// Is the file below the root? A log may come from elsewhere, and must not
/// choose what is shown of this machine.
static bool isBelow(const fs::path &Root, const fs::path &File) {
  std::error_code Failed;
  const fs::path From = fs::weakly_canonical(Root, Failed);
  const fs::path To = fs::weakly_canonical(File, Failed);
  return !Failed && !To.empty() &&
         std::mismatch(From.begin(), From.end(), To.begin(), To.end()).first ==
             From.end();
}

const std::string &Sources::textOf(const std::string &Path) {
  const auto [It, IsNew] = Texts.try_emplace(Path);
  std::string &Text = It->second;
  std::error_code Failed;
  // A pipe would never end.
  if (!IsNew || !isBelow(P.root(), Path) ||
      !fs::is_regular_file(Path, Failed) ||
      fs::file_size(Path, Failed) > HugeFile)
    return Text;
  if (!readFile(Path, Text) || Text.find('\0') != Text.npos)
    Text.clear();
  return Text;
}

Excerpt Sources::around(const Frame &F) {
  if (F.File.empty() || !F.Line)
    return {};
  const std::string &Text = textOf((fs::path(P.root()) / F.File).string());
  Excerpt Out;
  Out.First = F.Line > LinesBeside ? F.Line - LinesBeside : 1;
  const size_t Last = F.Line + size_t(LinesBeside);
  size_t Number = 1;
  for (size_t Begin = 0; Begin < Text.size() && Number <= Last; ++Number) {
    const size_t End = std::min(Text.find('\n', Begin), Text.size());
    if (Number >= Out.First)
      Out.Lines.push_back(readable(Text.substr(Begin, End - Begin)));
    Begin = End + 1;
  }
  // A file without the line has changed since.
  return Number > F.Line ? Out : Excerpt();
}

} // namespace atsan::report
