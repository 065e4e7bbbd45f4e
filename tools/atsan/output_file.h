//===- output_file.h ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file that appears under its name when it is complete, and not before.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_OUTPUT_FILE_H
#define ATSAN_TOOLS_ATSAN_OUTPUT_FILE_H

#include <string>
#include <string_view>

namespace atsan::tool {

/// Throws InputError if a file is at \p Path that does not begin like this:
/// what somebody else has put there is not replaced.
void checkReplaceable(const std::string &Path, std::string_view Begin);

/// A file that appears as a whole: without commit() nothing is left. All
/// functions throw InputError with the reason.
class OutputFile {
public:
  /// Makes a temporary file in the folder of Path. If there is a file at Path
  /// already, \p Replace must be true; then it is replaced by commit().
  OutputFile(const std::string &Path, bool Replace);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  const std::string &temporary() const { return Temporary; }
  /// Writes the text, so that it outlives a failure of power.
  void write(const std::string &Text);
  void commit();

private:
  [[noreturn]] void fail(const char *What) const;
  [[noreturn]] void failExists() const;

  std::string Path;
  std::string Temporary; ///< Empty: there is none any more.
  bool Replace;
  int File = -1;
};

/// Writes a file as a whole. An older one is replaced, and keeps its mode, if
/// \p Replace; else it is an error. Throws InputError.
void writeWhole(const std::string &Path, const std::string &Text, bool Replace);

} // namespace atsan::tool

#endif
