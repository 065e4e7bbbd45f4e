//===- scratch_folder.h -----------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOLS_ATSAN_SCRATCH_FOLDER_H
#define ATSAN_TOOLS_ATSAN_SCRATCH_FOLDER_H

#include <filesystem>
#include <string>

namespace atsan::tool {

/// What helps if a file of a scratch folder cannot be used.
inline constexpr char kScratchRemedy[] = "set TMPDIR to another folder";

/// A temporary folder, which goes with its owner.
class ScratchFolder {
public:
  /// Throws InputError.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  /// The folder in it of this name, which is made if it is not there.
  std::string sub(const std::string &Name) const;
  std::string file(const std::string &Name) const { return Path / Name; }

private:
  std::filesystem::path Path;
};

} // namespace atsan::tool

#endif
