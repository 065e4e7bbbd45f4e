//===-- atsan_log.cpp -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/options/atsan_log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/options/atsan_flags.h"
#include "runtime/options/atsan_output_file.h"
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
  InternalScopedString absolute;
  if (!AppendAbsolute(&absolute, path))
    BadLogPath(path, errno);
  return internal_strdup(absolute.data());
}

// Makes the directories that the path of a file names. False, with errno, if
// one cannot be made.
static bool MakeDirectories(const char *path) {
  InternalScopedString begin;
  for (const char *at = path; *at; at++) {
    if (*at == '/' && begin.length() && !DirExists(begin.data()) &&
        mkdir(begin.data(), 0755) != 0 && !DirExists(begin.data())) {
      errno = errno == EEXIST ? ENOTDIR : errno;
      return false;
    }
    begin.AppendF("%c", *at);
  }
  return true;
}

void LogPathInit() {
  const char *given = common_flags()->log_path;
  if (given && !given[0]) {
    Report(
        "ERROR: %s: bad run-time option log_path=: it names no file; name one, "
        "or leave it out\n",
        SanitizerToolName);
    ExitForBadSetup();
  }
  if (!given || IsStandardStream(given)) {
    report_file.SetReportPath(given);
    return;
  }
  CommonFlags common;
  common.CopyFrom(*common_flags());
  const char *path = common.log_path = MadeAbsolute(given);
  OverrideCommonFlags(common);
  if (!MakeDirectories(path))
    BadLogPath(given, errno);
  // Not by __sanitizer_set_report_path: beside another sanitizer's shared
  // runtime, such as UBSan's, that name may be the other's.
  //
  // sanitizer_common dies after it has said that a path is too long.
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

// The file is open only while something is written: programs count their open
// files, and tests do so before and after what they test. In between, prints
// that nobody announced go to stderr.
static struct {
  uptr users;
  bool put_away;
} log_file;  // Guarded by report_file.mu.

// A new file replaces one that an earlier process with this number has left.
static fd_t OpenLogFile(const char *name, bool again, error_t *error) {
  const int flags =
      O_WRONLY | O_CREAT | O_CLOEXEC | (again ? O_APPEND : O_TRUNC);
  const uptr result = internal_open(name, flags, 0660);
  if (internal_iserror(result, error))
    return kInvalidFd;
  const fd_t fd = ReserveStandardFds(static_cast<fd_t>(result));
  fcntl(fd, F_SETFD, FD_CLOEXEC);  // A duplicate does not inherit it.
  return fd;
}

// Returns zero, or why the log has no file.
static error_t TakeFile() {
  SpinMutexLock lock(report_file.mu);
  const bool is_same_process = report_file.fd_pid == internal_getpid();
  log_file.users = is_same_process ? log_file.users + 1 : 1;
  // Unless the program has set another path since then.
  if (log_file.put_away && report_file.fd == kStderrFd)
    report_file.fd = kInvalidFd;
  log_file.put_away = false;
  const bool is_open = report_file.fd != kInvalidFd;
  if (report_file.fd == kStdoutFd || report_file.fd == kStderrFd ||
      (is_open && is_same_process))
    return 0;
  InternalScopedString name;
  AppendFileName(&name, report_file.path_prefix);
  const bool again =
      is_same_process && !internal_strcmp(report_file.full_path, name.data());
  error_t error = 0;
  fd_t fd = OpenLogFile(name.data(), again, &error);
  if (is_open)
    CloseFile(report_file.fd);  // The parent's file.
  internal_snprintf(report_file.full_path, sizeof(report_file.full_path), "%s",
                    name.data());
  report_file.fd_pid = internal_getpid();
  report_file.fd = fd == kInvalidFd ? kStderrFd : fd;
  return fd == kInvalidFd ? error : 0;
}

static void PutFileAway() {
  SpinMutexLock lock(report_file.mu);
  if (--log_file.users || report_file.fd == kInvalidFd ||
      report_file.fd == kStdoutFd || report_file.fd == kStderrFd)
    return;
  CloseFile(report_file.fd);
  report_file.fd = kStderrFd;
  log_file.put_away = true;
}

static void SayFallback(error_t error) {
  Report(
      "WARNING: %s: cannot write to %s, so what follows goes to stderr: %s\n",
      SanitizerToolName, report_file.full_path, strerror(error));
}

ScopedLog::ScopedLog() {
  if (error_t error = TakeFile())
    SayFallback(error);
}

ScopedLog::~ScopedLog() { PutFileAway(); }

bool ScopedLog::IsFile() const {
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
  ScopedLog log;
  if (error_t error = TryWrite(record)) {
    SayFallback(error);
    TryWrite(record);
  }
}

}  // namespace __atsan
