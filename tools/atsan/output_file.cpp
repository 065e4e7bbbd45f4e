//===- output_file.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/atsan/output_file.h"
#include "tools/atsan/Command.h"
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace atsan::tool {

void checkReplaceable(const std::string &Path, std::string_view Begin) {
  std::string Old(Begin.size(), 0);
  std::ifstream File(Path, std::ios::binary);
  File.read(Old.data(), static_cast<std::streamsize>(Old.size()));
  Old.resize(static_cast<size_t>(File.gcount()));
  if (!Old.empty() && Old != Begin)
    throw InputError(Path + ": there is such a file, of another kind; remove "
                            "it, or name another one");
}

void OutputFile::fail(const char *What) const {
  throw InputError(Path + ": " + What + " (" + std::strerror(errno) +
                   "); name another file");
}

void OutputFile::failExists() const {
  throw InputError(Path + ": there is such a file; name another one, or "
                          "replace it with --force");
}

OutputFile::OutputFile(const std::string &Path, bool Replace)
    : Path(Path), Replace(Replace) {
  struct stat Status;
  const bool IsThere = stat(Path.c_str(), &Status) == 0;
  if (IsThere) {
    if (!S_ISREG(Status.st_mode))
      throw InputError(Path + ": not a regular file; name another one");
    if (!Replace)
      failExists();
    // What a symbolic link names is replaced, not the link. One that names
    // nothing is a new file's name.
    char Real[PATH_MAX];
    if (realpath(Path.c_str(), Real))
      this->Path = Real;
  }
  Temporary = this->Path + ".XXXXXX";
  File = mkostemp(Temporary.data(), O_CLOEXEC);
  if (File < 0) {
    Temporary.clear();
    fail("the file cannot be made");
  }
  // Gives the file the mode of the one that it replaces, or of any new file;
  // mkostemp lets nobody else read it.
  const mode_t Mask = umask(0);
  umask(Mask);
  if (fchmod(File, IsThere ? Status.st_mode & 07777 : 0666 & ~Mask) != 0)
    fail("the file cannot be made");
}

OutputFile::~OutputFile() {
  if (File >= 0)
    close(File);
  if (!Temporary.empty())
    unlink(Temporary.c_str());
}

void OutputFile::write(const std::string &Text) {
  for (size_t Done = 0; Done < Text.size();) {
    const ssize_t Count = ::write(File, Text.data() + Done, Text.size() - Done);
    if (Count < 0 && errno != EINTR)
      fail("the file cannot be written");
    Done += Count > 0 ? static_cast<size_t>(Count) : 0;
  }
  if (fsync(File) != 0)
    fail("the file cannot be written");
}

void OutputFile::commit() {
  if (close(std::exchange(File, -1)) != 0)
    fail("the file cannot be written");
  const unsigned Flags = Replace ? 0 : RENAME_NOREPLACE;
  int Result =
      renameat2(AT_FDCWD, Temporary.c_str(), AT_FDCWD, Path.c_str(), Flags);
  // Some file systems cannot look and rename in one step.
  if (Result != 0 && Flags && errno != EEXIST &&
      access(Path.c_str(), F_OK) != 0)
    Result = rename(Temporary.c_str(), Path.c_str());
  if (Result != 0 && errno == EEXIST)
    failExists();
  if (Result != 0)
    fail("the file cannot be given its name");
  Temporary.clear();
}

void writeWhole(const std::string &Path, const std::string &Text,
                bool Replace) {
  OutputFile Out(Path, Replace);
  Out.write(Text);
  Out.commit();
}

} // namespace atsan::tool
