//===-- atsan_interceptors_path.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that read names of files or of the environment, as far as
// sanitizer_common does not know them. Files and the environment themselves are
// not memory of the program.
//
//===----------------------------------------------------------------------===//
#include <stdarg.h>
#include <unistd.h>

#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/schedule/atsan_schedule_program.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

using namespace __atsan;

// Defines the interceptor of a function whose only argument is a name.
#define ATSAN_PATH_INTERCEPTOR(func) \
  ATSAN_BEFORE(int, func, (const char *path), (path), recorder.ReadString(path))

// Defines the interceptor of a function of a name and a number.
#define ATSAN_PATH_MODE_INTERCEPTOR(func)                             \
  ATSAN_BEFORE(int, func, (const char *path, int mode), (path, mode), \
               recorder.ReadString(path))

// Defines the interceptor of a function of two names.
#define ATSAN_PATHS_INTERCEPTOR(func)                                     \
  ATSAN_BEFORE(int, func, (const char *from, const char *to), (from, to), \
               recorder.ReadString(from), recorder.ReadString(to))

// Defines the interceptor of a function that opens a file. The mode is there
// only if a file may be created; reading it does no harm.
#define ATSAN_OPEN_INTERCEPTOR(func)                               \
  ATSAN_INTERCEPTOR(int, func, const char *path, int flags, ...) { \
    va_list args;                                                  \
    va_start(args, flags);                                         \
    unsigned mode = va_arg(args, unsigned);                        \
    va_end(args);                                                  \
    ATSAN_ENTER(func, path, flags, mode);                          \
    recorder.ReadString(path);                                     \
    return REAL(func)(path, flags, mode);                          \
  }

// Defines the interceptor of a function that opens a file in a directory, with
// a mode that need not be there, either.
#define ATSAN_OPENAT_INTERCEPTOR(func)                                      \
  ATSAN_INTERCEPTOR(int, func, int dir, const char *path, int flags, ...) { \
    va_list args;                                                           \
    va_start(args, flags);                                                  \
    unsigned mode = va_arg(args, unsigned);                                 \
    va_end(args);                                                           \
    ATSAN_ENTER(func, dir, path, flags, mode);                              \
    recorder.ReadString(path);                                              \
    return REAL(func)(dir, path, flags, mode);                              \
  }

ATSAN_OPEN_INTERCEPTOR(open)
ATSAN_OPENAT_INTERCEPTOR(openat)

ATSAN_PATH_MODE_INTERCEPTOR(creat)
ATSAN_PATH_MODE_INTERCEPTOR(mkdir)
ATSAN_PATH_MODE_INTERCEPTOR(mkfifo)
ATSAN_PATH_MODE_INTERCEPTOR(chmod)
ATSAN_PATH_MODE_INTERCEPTOR(access)

ATSAN_PATH_INTERCEPTOR(unlink)
ATSAN_PATH_INTERCEPTOR(rmdir)
ATSAN_PATH_INTERCEPTOR(remove)
ATSAN_PATH_INTERCEPTOR(chdir)

ATSAN_PATHS_INTERCEPTOR(rename)
ATSAN_PATHS_INTERCEPTOR(link)
ATSAN_PATHS_INTERCEPTOR(symlink)

// --- In a directory. ---------------------------------------------------------

ATSAN_BEFORE(int, mkdirat, (int dir, const char *path, int mode),
             (dir, path, mode), recorder.ReadString(path))
ATSAN_BEFORE(int, mkfifoat, (int dir, const char *path, int mode),
             (dir, path, mode), recorder.ReadString(path))
ATSAN_BEFORE(int, unlinkat, (int dir, const char *path, int mode),
             (dir, path, mode), recorder.ReadString(path))
ATSAN_BEFORE(int, faccessat, (int dir, const char *path, int mode, int flags),
             (dir, path, mode, flags), recorder.ReadString(path))
ATSAN_BEFORE(int, fchmodat, (int dir, const char *path, int mode, int flags),
             (dir, path, mode, flags), recorder.ReadString(path))
ATSAN_BEFORE(int, renameat,
             (int from_dir, const char *from, int to_dir, const char *to),
             (from_dir, from, to_dir, to), recorder.ReadString(from),
             recorder.ReadString(to))
ATSAN_BEFORE(int, symlinkat, (const char *from, int to_dir, const char *to),
             (from, to_dir, to), recorder.ReadString(from),
             recorder.ReadString(to))
ATSAN_BEFORE(int, renameat2,
             (int from_dir, const char *from, int to_dir, const char *to,
              int flags),
             (from_dir, from, to_dir, to, flags), recorder.ReadString(from),
             recorder.ReadString(to))
ATSAN_BEFORE(int, linkat,
             (int from_dir, const char *from, int to_dir, const char *to,
              int flags),
             (from_dir, from, to_dir, to, flags), recorder.ReadString(from),
             recorder.ReadString(to))

// --- Status. -----------------------------------------------------------------

ATSAN_AFTER(int, fstat, (int fd, void *status), (fd, status),
            if (res == 0) recorder.Write(status, struct_stat_sz))
ATSAN_AROUND(int, fstatat, (int dir, const char *path, void *status, int flags),
             (dir, path, status, flags), recorder.ReadString(path),
             if (res == 0) recorder.Write(status, struct_stat_sz))

// --- Temporary files: the last six characters of the name are filled in. -----

static void WriteUnique(const AccessRecorder &recorder, const char *name,
                        int behind = 0) {
  constexpr uptr kUnique = 6;
  uptr length = internal_strlen(name);
  if (behind >= 0 && length >= kUnique + behind)
    recorder.Write(name + length - kUnique - behind, kUnique);
}

ATSAN_AROUND(int, mkstemp, (char *name), (name), recorder.ReadString(name),
             WriteUnique(recorder, name))
ATSAN_AROUND(int, mkostemp, (char *name, int flags), (name, flags),
             recorder.ReadString(name), WriteUnique(recorder, name))
ATSAN_AROUND(int, mkstemps, (char *name, int behind), (name, behind),
             recorder.ReadString(name), WriteUnique(recorder, name, behind))
ATSAN_AROUND(int, mkostemps, (char *name, int behind, int flags),
             (name, behind, flags), recorder.ReadString(name),
             WriteUnique(recorder, name, behind))
ATSAN_AROUND(char *, mkdtemp, (char *name), (name), recorder.ReadString(name),
             WriteUnique(recorder, name))

// --- Environment. ------------------------------------------------------------

ATSAN_BEFORE(int, setenv, (const char *name, const char *value, int overwrite),
             (name, value, overwrite), recorder.ReadString(name),
             recorder.ReadString(value))

ATSAN_PATH_INTERCEPTOR(putenv)
ATSAN_PATH_INTERCEPTOR(unsetenv)

ATSAN_INTERCEPTOR(int, system, const char *command) {
  ScheduleAfterForkInParent();
  ATSAN_ENTER(system, command);
  recorder.ReadString(command);
  return REAL(system)(command);
}

// --- Names of the system. ----------------------------------------------------

extern "C" const char *gnu_get_libc_version();

ATSAN_INTERCEPTOR(uptr, confstr, int name, char *buf, uptr size) {
  // sanitizer_common asks for this name at every start; confstr itself is far
  // from all code of libc that a start touches otherwise.
  if (!runtime_ready && name == _CS_GNU_LIBC_VERSION) {
    internal_strlcpy(buf, "glibc ", size);
    return internal_strlcat(buf, gnu_get_libc_version(), size) + 1;
  }
  ATSAN_ENTER(confstr, name, buf, size);
  uptr length = REAL(confstr)(name, buf, size);
  if (buf)
    recorder.Write(buf, length < size ? length : size);
  return length;
}

ATSAN_AFTER(int, getlogin_r, (char *name, uptr size), (name, size),
            if (res == 0) recorder.WriteString(name))
ATSAN_AFTER(int, getdomainname, (char *name, uptr size), (name, size),
            if (res == 0) recorder.WriteString(name))
