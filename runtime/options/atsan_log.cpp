//===-- atsan_log.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/options/atsan_log.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "runtime/options/atsan_flags.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_interface_internal.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "sanitizer_common/sanitizer_posix.h"

namespace __atsan {

static bool IsStandardStream(const char *path) {
  return !internal_strcmp(path, "stderr") || !internal_strcmp(path, "stdout");
}

// Composes the name of a log file in the way that sanitizer_common does.
static void AppendFileName(InternalScopedString *name, const char *prefix) {
  name->Append(prefix);
  const char *program = GetProcessName();
  if (common_flags()->log_exe_name && program)
    name->AppendF(".%s", program);
  name->AppendF(".%zu", static_cast<uptr>(internal_getpid()));
  if (common_flags()->log_suffix)
    name->Append(common_flags()->log_suffix);
}

// --- Start. ------------------------------------------------------------------

[[noreturn]] static void BadLogPath(const char *path, int error) {
  report_file.SetReportPath("stderr");
  Report(
      "ERROR: %s: cannot write to '%s', which run-time option log_path names: "
      "%s; name a file in a directory that is yours\n",
      SanitizerToolName, path, strerror(error));
  ExitForBadSetup();
}

static const char *MadeAbsolute(const char *path) {
  if (IsAbsolutePath(path))
    return path;
  InternalMmapVector<char> directory(kMaxPathLength);
  if (!getcwd(directory.data(), directory.size()))
    BadLogPath(path, errno);
  InternalScopedString absolute;
  absolute.AppendF("%s/%s", directory.data(), path);
  return internal_strdup(absolute.data());
}

void LogPathInit() {
  const char *given = common_flags()->log_path;
  if (!given || !given[0] || IsStandardStream(given)) {
    report_file.SetReportPath(given);
    return;
  }
  CommonFlags common;
  common.CopyFrom(*common_flags());
  const char *path = common.log_path = MadeAbsolute(given);
  OverrideCommonFlags(common);
  // Not by __sanitizer_set_report_path: beside another sanitizer's shared
  // runtime, such as UBSan's, that name may be the other's.
  //
  // sanitizer_common dies after it has said which directory it cannot make.
  AddDieCallback(ExitForBadSetup);
  report_file.SetReportPath(path);
  RemoveDieCallback(ExitForBadSetup);

  InternalScopedString directory, file;
  const char *name = StripModuleName(path);
  directory.AppendF("%.*s", static_cast<int>(name - path), path);
  AppendFileName(&file, path);
  // The second test is for names that are too long, and for files of others.
  if (access(directory.data(), W_OK | X_OK) != 0 ||
      (access(file.data(), W_OK) != 0 && errno != ENOENT))
    BadLogPath(given, errno);
}

// --- Writing. ----------------------------------------------------------------

// Returns zero, or why the log has no file.
static error_t OpenFileOfProcess() {
  SpinMutexLock lock(report_file.mu);
  uptr pid = internal_getpid();
  bool is_open = report_file.fd != kInvalidFd;
  if (report_file.fd == kStdoutFd || report_file.fd == kStderrFd ||
      (is_open && report_file.fd_pid == pid))
    return 0;
  InternalScopedString name;
  AppendFileName(&name, report_file.path_prefix);
  error_t error = 0;
  fd_t fd = OpenFile(name.data(), WrOnly, &error);
  if (is_open)
    CloseFile(report_file.fd);  // The parent's file.
  internal_snprintf(report_file.full_path, sizeof(report_file.full_path), "%s",
                    name.data());
  report_file.fd_pid = pid;
  report_file.fd = fd == kInvalidFd ? kStderrFd : fd;
  return fd == kInvalidFd ? error : 0;
}

static void SayFallback(error_t error) {
  Report(
      "WARNING: %s: cannot write to %s, so what follows goes to stderr: %s\n",
      SanitizerToolName, report_file.full_path, strerror(error));
}

bool LogOpen() {
  if (error_t error = OpenFileOfProcess())
    SayFallback(error);
  SpinMutexLock lock(report_file.mu);
  return report_file.fd != kStderrFd && report_file.fd != kStdoutFd;
}

static error_t TryWrite(const char *text) {
  SpinMutexLock lock(report_file.mu);
  for (uptr rest = internal_strlen(text); rest;) {
    uptr written = 0;
    error_t error = 0;
    if (!WriteToFile(report_file.fd, text, rest, &written, &error)) {
      if (error == EINTR)
        continue;
      if (report_file.fd == kStderrFd || report_file.fd == kStdoutFd)
        return 0;
      report_file.fd = kStderrFd;
      return error;
    }
    text += written;
    rest -= written;
  }
  return 0;
}

void LogWrite(const char *record) {
  LogOpen();
  if (error_t error = TryWrite(record)) {
    SayFallback(error);
    TryWrite(record);
  }
}

}  // namespace __atsan
