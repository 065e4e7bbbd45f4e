//===-- atsan_interceptors_exit.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exits, which may run no handlers, other programs that take the place of this
// one, and libraries that would escape interception.
//
//===----------------------------------------------------------------------===//
#include <stdarg.h>

#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/options/atsan_flags.h"
#include "runtime/report/atsan_checked.h"
#include "runtime/report/atsan_crash.h"
#include "runtime/report/atsan_held.h"
#include "runtime/schedule/atsan_schedule_program.h"
#include "runtime/threads/atsan_vfork.h"
#include "sanitizer_common/sanitizer_common.h"

using namespace __atsan;

// Does not see libc's own call when main has returned. Goes on by a jump, so
// that no handler of the program has a frame of ours below it.
ATSAN_INTERCEPTOR(void, exit, int code) {
  EnsureReady();
  if (!in_vfork_child)
    NoteExitCall();
  [[clang::musttail]] return REAL(exit)(code);
}

ATSAN_INTERCEPTOR(void, _exit, int code) {
  EnsureReady();
  const int ended = AtExit(code);
  const bool is_wrong = ended == code && ScheduleHasFailed();
  REAL(_exit)(is_wrong ? kBadSetupExitCode : ended);
}

// --- Ends without exit. ------------------------------------------------------

// A function behind which the thread's attempt does not go on. By a jump, so
// that a debugger sees the caller.
#define ENDS_ATTEMPT(ret_type, func, parameters, arguments)        \
  ATSAN_INTERCEPTOR(ret_type, func, ATSAN_UNPACK parameters) {     \
    EnsureReady();                                                 \
    if (!in_vfork_child)                                           \
      ReportOwnHeldViolation();                                    \
    [[clang::musttail]] return REAL(func)(ATSAN_UNPACK arguments); \
  }

ENDS_ATTEMPT(void, abort, (), ())
// A failed assert() calls this; libc's own call of abort is not seen.
ATSAN_INTERCEPTOR(void, __assert_fail, const char *condition, const char *file,
                  unsigned line, const char *function) {
  EnsureReady();
  NoteFailedAssertion(condition);
  if (!in_vfork_child)
    ReportOwnHeldViolation();
  [[clang::musttail]] return REAL(__assert_fail)(condition, file, line,
                                                 function);
}
ENDS_ATTEMPT(void, __assert_perror_fail,
             (int error, const char *file, unsigned line, const char *function),
             (error, file, line, function))
ENDS_ATTEMPT(void, __assert,
             (const char *condition, const char *file, int line),
             (condition, file, line))

ENDS_ATTEMPT(int, execv, (const char *path, char *const *argv), (path, argv))
ENDS_ATTEMPT(int, execvp, (const char *file, char *const *argv), (file, argv))
ENDS_ATTEMPT(int, execve,
             (const char *path, char *const *argv, char *const *envp),
             (path, argv, envp))
ENDS_ATTEMPT(int, execvpe,
             (const char *file, char *const *argv, char *const *envp),
             (file, argv, envp))
ENDS_ATTEMPT(int, fexecve, (int fd, char *const *argv, char *const *envp),
             (fd, argv, envp))
ENDS_ATTEMPT(int, execveat,
             (int folder, const char *path, char *const *argv,
              char *const *envp, int flags),
             (folder, path, argv, envp, flags))

// Calls exec(argv) with the arguments, of which `rest` has those behind the
// first one. On the stack: a child by fork or vfork may allocate nothing.
template <class Exec>
static int ExecWithArray(const char *first, va_list rest, Exec exec) {
  uptr count = 1;
  va_list counted;
  va_copy(counted, rest);
  for (const char *one = first; one; one = va_arg(counted, const char *))
    count++;
  va_end(counted);
  auto **argv = static_cast<char **>(__builtin_alloca(count * sizeof(char *)));
  argv[0] = const_cast<char *>(first);
  for (uptr i = 1; i < count; i++)
    argv[i] = va_arg(rest, char *);
  return exec(argv);
}

ATSAN_INTERCEPTOR(int, execl, const char *path, const char *arg, ...) {
  va_list rest;
  va_start(rest, arg);
  int result = ExecWithArray(
      arg, rest, [&](char **argv) { return WRAP(execv)(path, argv); });
  va_end(rest);
  return result;
}

ATSAN_INTERCEPTOR(int, execlp, const char *file, const char *arg, ...) {
  va_list rest;
  va_start(rest, arg);
  int result = ExecWithArray(
      arg, rest, [&](char **argv) { return WRAP(execvp)(file, argv); });
  va_end(rest);
  return result;
}

ATSAN_INTERCEPTOR(int, execle, const char *path, const char *arg, ...) {
  va_list rest;
  va_start(rest, arg);
  int result = ExecWithArray(arg, rest, [&](char **argv) {
    return WRAP(execve)(path, argv, va_arg(rest, char *const *));
  });
  va_end(rest);
  return result;
}

// --- Libraries. --------------------------------------------------------------

// With the flag, a library finds libc before the runtime. To load it without
// may bind names of its own to those of others.
static void RefuseDeepBind(const char *file) {
  Report(
      "ERROR: %s: the program loads '%s' with RTLD_DEEPBIND: the runtime would "
      "see no lock, no thread and no memory of this library. Load it without "
      "that flag, where __SANITIZE_ATOMICITY__ is defined "
      "(docs/integration.md)\n",
      SanitizerToolName, file ? file : "(null)");
  ExitForBadSetup();
}

// A jump, not a call: libc takes the search path of the module that called.
ATSAN_INTERCEPTOR(void *, dlopen, const char *file, int flags) {
  EnsureReady();
  constexpr int kDeepBind = 8;  // RTLD_DEEPBIND
  if (UNLIKELY(flags & kDeepBind))
    RefuseDeepBind(file);
  [[clang::musttail]] return REAL(dlopen)(file, flags);
}
