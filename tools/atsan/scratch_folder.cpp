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

ScratchFolder::ScratchFolder() {
  std::string Name = fs::temp_directory_path() / "atsan-explore-XXXXXX";
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
