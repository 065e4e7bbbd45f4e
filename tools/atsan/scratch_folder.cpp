//===- scratch_folder.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/scratch_folder.h"
#include "tools/atsan/Command.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace fs = std::filesystem;

namespace atsan::tool {

/// The folder for what is kept for a moment only.
static fs::path folderForScratch() {
  std::error_code Failed;
  fs::path Folder = fs::temp_directory_path(Failed);
  if (!Failed)
    return Folder;
  for (const char *Name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})
    if (const char *Value = std::getenv(Name))
      throw InputError(std::string(Name) + '=' + Value + " names no folder (" +
                       Failed.message() +
                       "); set it to one that can be written to");
  throw InputError("there is no folder /tmp (" + Failed.message() +
                   "); set TMPDIR to a folder that can be written to");
}

ScratchFolder::ScratchFolder() {
  std::string Name = folderForScratch() / "atsan-explore-XXXXXX";
  if (!mkdtemp(Name.data()))
    throw InputError(Name + ": cannot be made (" + std::strerror(errno) +
                     "); set TMPDIR to a folder that can be written to");
  Path = Name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code Ignored;
  fs::remove_all(Path, Ignored);
}

std::string ScratchFolder::sub(const std::string &Name) const {
  fs::create_directories(Path / Name);
  return Path / Name;
}

} // namespace atsan::tool
