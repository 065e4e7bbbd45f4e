//===-- atsan_output_file.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/options/atsan_output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/options/atsan_flags.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"

namespace __atsan {

bool AppendAbsolute(InternalScopedString *out, const char *path) {
  if (!IsAbsolutePath(path)) {
    InternalMmapVector<char> directory(kMaxPathLength);
    if (!getcwd(directory.data(), directory.size()))
      return false;
    out->AppendF("%s/", directory.data());
  }
  out->Append(path);
  return true;
}

static void AppendTemporary(InternalScopedString *out, const char *path) {
  out->AppendF("%s.%d.part", path, static_cast<int>(internal_getpid()));
}

bool WriteWhole(const char *path, const char *text, uptr size) {
  InternalScopedString temporary;
  AppendTemporary(&temporary, path);
  fd_t file = OpenFile(temporary.data(), WrOnly);
  if (file == kInvalidFd)
    return false;
  bool is_written = true;
  for (uptr at = 0, count; is_written && at < size; at += count)
    is_written = WriteToFile(file, text + at, size - at, &count) && count;
  CloseFile(file);
  if (is_written && rename(temporary.data(), path) == 0)
    return true;
  internal_unlink(temporary.data());
  return false;
}

// Returns why what is at `path` may not be replaced, or nullptr.
static const char *WhyNotReplaced(const char *path, const char *begin) {
  error_t error = 0;
  const uptr opened = internal_open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
  if (internal_iserror(opened, &error))
    return error == ENOENT ? nullptr : strerror(error);
  const fd_t file = static_cast<fd_t>(opened);
  struct stat status;
  char old[64];
  uptr size = 0;
  const uptr wanted = internal_strlen(begin);
  CHECK_LE(wanted, sizeof(old));
  const bool is_regular = !internal_iserror(internal_fstat(file, &status)) &&
                          S_ISREG(status.st_mode) &&
                          ReadFromFile(file, old, wanted, &size, &error);
  CloseFile(file);
  const bool is_ours = size == wanted && !internal_memcmp(old, begin, wanted);
  if (!is_regular)
    return "it is no regular file; name another one";
  return !status.st_size || is_ours ? nullptr
                                    : "it is there, and was not written by "
                                      "this option; remove it, or name another "
                                      "file";
}

void OutputFile::Fail(const char *why) const {
  Report(
      "ERROR: %s: cannot write to '%s', which run-time option %s names: %s\n",
      SanitizerToolName, given_, option_, why);
  ExitForBadSetup();
}

void OutputFile::Init(const char *option, const char *path, const char *begin) {
  option_ = option;
  given_ = path;
  InternalScopedString absolute, temporary;
  if (!AppendAbsolute(&absolute, path))
    Fail(strerror(errno));
  if (absolute.length() >= sizeof(path_))
    Fail(strerror(ENAMETOOLONG));
  internal_memcpy(path_, absolute.data(), absolute.length() + 1);
  if (const char *why = WhyNotReplaced(path_, begin))
    Fail(why);
  // That it cannot be written is said now, not when the run is over.
  AppendTemporary(&temporary, path_);
  error_t error = 0;
  const fd_t file = OpenFile(temporary.data(), WrOnly, &error);
  if (file == kInvalidFd)
    Fail(strerror(error));
  CloseFile(file);
  internal_unlink(temporary.data());
}

fd_t OutputFile::Open() const {
  error_t error = 0;
  const fd_t file = OpenFile(path_, WrOnly, &error);
  if (file == kInvalidFd)
    Fail(strerror(error));
  return file;
}

bool OutputFile::Write(const char *text, uptr size) const {
  if (WriteWhole(path_, text, size))
    return true;
  Report("ERROR: %s: cannot write to '%s', which run-time option %s names\n",
         SanitizerToolName, path_, option_);
  return false;
}

}  // namespace __atsan
