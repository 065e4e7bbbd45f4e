//===-- atsan_interceptors_fortify.cpp ------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What _FORTIFY_SOURCE makes of calls: the function with the size of the object
// as one more argument. libc's own functions compare the sizes and do what the
// plain function does, and so do these, with its interceptor. They look up
// nothing in libc, where that runs code on pages of its own (which version of
// memcpy suits the processor?). Where the comparison comes in the midst of the
// work, the interceptor is beside that of the plain function.
//
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <limits.h>

#include "runtime/intercept/atsan_format.h"

using namespace __atsan;

extern "C" void __chk_fail() __attribute__((noreturn));
extern "C" uptr __ctype_get_mb_cur_max();

// Defines __FUNC_chk. `too_small` says by its parameters that the object is.
#define ATSAN_FORTIFIED(ret_type, func, plain_parameters, arguments,           \
                        parameters, too_small)                                 \
  extern "C" ret_type WRAP(func) plain_parameters;                             \
  ATSAN_INTERCEPTOR_ALONE(ret_type, __##func##_chk, ATSAN_UNPACK parameters) { \
    if (UNLIKELY(too_small))                                                   \
      __chk_fail();                                                            \
    return WRAP(func) arguments;                                               \
  }

// --- Memory and strings. -----------------------------------------------------

ATSAN_FORTIFIED(void, explicit_bzero, (void *, uptr), (dst, size),
                (void *dst, uptr size, uptr room), room < size)
ATSAN_FORTIFIED(char *, stpncpy, (char *, const char *, uptr), (dst, src, size),
                (char *dst, const char *src, uptr size, uptr room), room < size)
ATSAN_FORTIFIED(void *, memset, (void *, int, uptr), (dst, value, size),
                (void *dst, int value, uptr size, uptr room), room < size)

// Defines __FUNC_chk of a function that copies a block.
#define ATSAN_FORTIFIED_COPY(func)                                  \
  ATSAN_FORTIFIED(                                                  \
      void *, func, (void *, const void *, uptr), (dst, src, size), \
      (void *dst, const void *src, uptr size, uptr room), room < size)

ATSAN_FORTIFIED_COPY(memcpy)
ATSAN_FORTIFIED_COPY(memmove)
ATSAN_FORTIFIED_COPY(mempcpy)

// The room of wide characters is counted in characters.
#define ATSAN_FORTIFIED_WIDE(func)                                           \
  ATSAN_FORTIFIED(                                                           \
      wchar_t *, func, (wchar_t *, const wchar_t *, uptr), (dst, src, size), \
      (wchar_t *dst, const wchar_t *src, uptr size, uptr room), room < size)
ATSAN_FORTIFIED_WIDE(wmemcpy)
ATSAN_FORTIFIED_WIDE(wmemmove)
ATSAN_FORTIFIED_WIDE(wmempcpy)
ATSAN_FORTIFIED_WIDE(wcsncpy)
ATSAN_FORTIFIED_WIDE(wcpncpy)
ATSAN_FORTIFIED(wchar_t *, wmemset, (wchar_t *, wchar_t, uptr), (dst, c, size),
                (wchar_t *dst, wchar_t c, uptr size, uptr room), room < size)
ATSAN_FORTIFIED(wchar_t *, wcscpy, (wchar_t *, const wchar_t *), (dst, src),
                (wchar_t *dst, const wchar_t *src, uptr room),
                room <= StringLength(src, room))
ATSAN_FORTIFIED(wchar_t *, wcpcpy, (wchar_t *, const wchar_t *), (dst, src),
                (wchar_t *dst, const wchar_t *src, uptr room),
                room <= StringLength(src, room))
ATSAN_FORTIFIED(wchar_t *, wcscat, (wchar_t *, const wchar_t *), (dst, src),
                (wchar_t *dst, const wchar_t *src, uptr room),
                room <= StringLength(dst, room) + StringLength(src, room))
ATSAN_FORTIFIED(wchar_t *, wcsncat, (wchar_t *, const wchar_t *, uptr),
                (dst, src, max),
                (wchar_t *dst, const wchar_t *src, uptr max, uptr room),
                room <=
                    StringLength(dst, room) + StringLength(src, Min(max, room)))

// --- Conversions. ------------------------------------------------------------

#define ATSAN_FORTIFIED_CONVERSION(To, From, name, restartable, bounded)    \
  ATSAN_FORTIFIED(uptr, name, (To *, const From *, uptr), (dst, src, size), \
                  (To *dst, const From *src, uptr size, uptr room),         \
                  room < size)                                              \
  ATSAN_FORTIFIED(                                                          \
      uptr, restartable, (To *, const From **, uptr, void *),               \
      (dst, src, size, state),                                              \
      (To *dst, const From **src, uptr size, void *state, uptr room),       \
      room < size)                                                          \
  ATSAN_FORTIFIED(uptr, bounded, (To *, const From **, uptr, uptr, void *), \
                  (dst, src, max, size, state),                             \
                  (To *dst, const From **src, uptr max, uptr size,          \
                   void *state, uptr room),                                 \
                  room < size)
ATSAN_FORTIFIED_CONVERSION(wchar_t, char, mbstowcs, mbsrtowcs, mbsnrtowcs)
ATSAN_FORTIFIED_CONVERSION(char, wchar_t, wcstombs, wcsrtombs, wcsnrtombs)
ATSAN_FORTIFIED(uptr, wcrtomb, (char *, wchar_t, void *), (dst, c, state),
                (char *dst, wchar_t c, void *state, uptr room),
                room < __ctype_get_mb_cur_max())
ATSAN_FORTIFIED(int, wctomb, (char *, wchar_t), (dst, c),
                (char *dst, wchar_t c, uptr room),
                room < __ctype_get_mb_cur_max())

// --- Streams, descriptors and sockets. ---------------------------------------

#define ATSAN_FORTIFIED_FREAD(func)                                    \
  extern "C" uptr WRAP(func)(void *, uptr, uptr, void *);              \
  ATSAN_INTERCEPTOR_ALONE(uptr, __##func##_chk, void *data, uptr room, \
                          uptr size, uptr number, void *file) {        \
    uptr bytes;                                                        \
    if (UNLIKELY(__builtin_mul_overflow(size, number, &bytes) ||       \
                 room < bytes))                                        \
      __chk_fail();                                                    \
    return WRAP(func)(data, size, number, file);                       \
  }
ATSAN_FORTIFIED_FREAD(fread)
ATSAN_FORTIFIED_FREAD(fread_unlocked)

ATSAN_FORTIFIED(sptr, read, (int, void *, uptr), (fd, data, size),
                (int fd, void *data, uptr size, uptr room), room < size)
ATSAN_FORTIFIED(sptr, pread, (int, void *, uptr, sptr),
                (fd, data, size, offset),
                (int fd, void *data, uptr size, sptr offset, uptr room),
                room < size)
ATSAN_FORTIFIED(sptr, pread64, (int, void *, uptr, sptr),
                (fd, data, size, offset),
                (int fd, void *data, uptr size, sptr offset, uptr room),
                room < size)
ATSAN_FORTIFIED(sptr, recv, (int, void *, uptr, int), (fd, data, size, flags),
                (int fd, void *data, uptr size, uptr room, int flags),
                room < size)
ATSAN_FORTIFIED(sptr, recvfrom, (int, void *, uptr, int, void *, int *),
                (fd, data, size, flags, address, address_size),
                (int fd, void *data, uptr size, uptr room, int flags,
                 void *address, int *address_size),
                room < size)
ATSAN_FORTIFIED(int, poll, (__sanitizer_pollfd *, __sanitizer_nfds_t, int),
                (fds, number, timeout),
                (__sanitizer_pollfd *fds, __sanitizer_nfds_t number,
                 int timeout, uptr room),
                room / sizeof(*fds) < number)
ATSAN_FORTIFIED(int, ppoll,
                (__sanitizer_pollfd *, __sanitizer_nfds_t, void *,
                 __sanitizer_sigset_t *),
                (fds, number, timeout, mask),
                (__sanitizer_pollfd *fds, __sanitizer_nfds_t number,
                 void *timeout, __sanitizer_sigset_t *mask, uptr room),
                room / sizeof(*fds) < number)

// --- Names. ------------------------------------------------------------------

ATSAN_FORTIFIED(char *, getcwd, (char *, uptr), (name, size),
                (char *name, uptr size, uptr room), room < size)
ATSAN_FORTIFIED(char *, realpath, (const char *, char *), (path, resolved),
                (const char *path, char *resolved, uptr room), room < PATH_MAX)
ATSAN_FORTIFIED(sptr, readlink, (const char *, char *, uptr),
                (path, name, size),
                (const char *path, char *name, uptr size, uptr room),
                room < size)
ATSAN_FORTIFIED(sptr, readlinkat, (int, const char *, char *, uptr),
                (dir, path, name, size),
                (int dir, const char *path, char *name, uptr size, uptr room),
                room < size)
ATSAN_FORTIFIED(int, ptsname_r, (int, char *, uptr), (fd, name, size),
                (int fd, char *name, uptr size, uptr room), room < size)
ATSAN_FORTIFIED(int, ttyname_r, (int, char *, uptr), (fd, name, size),
                (int fd, char *name, uptr size, uptr room), room < size)
ATSAN_FORTIFIED(int, getlogin_r, (char *, uptr), (name, size),
                (char *name, uptr size, uptr room), room < size)
ATSAN_FORTIFIED(int, gethostname, (char *, uptr), (name, size),
                (char *name, uptr size, uptr room), room < size)
ATSAN_FORTIFIED(int, getdomainname, (char *, uptr), (name, size),
                (char *name, uptr size, uptr room), room < size)
ATSAN_FORTIFIED(uptr, confstr, (int, char *, uptr), (number, value, size),
                (int number, char *value, uptr size, uptr room), room < size)
ATSAN_FORTIFIED(int, getgroups, (int, u32 *), (number, groups),
                (int number, u32 *groups, uptr room),
                number > 0 && room < number * sizeof(*groups))

// Calls getcwd: the linker warns of every program that may reach getwd.
ATSAN_INTERCEPTOR_ALONE(char *, __getwd_chk, char *name, uptr room) {
  char *res = WRAP(getcwd)(name, room);
  if (UNLIKELY(!res && errno == ERANGE))
    __chk_fail();
  return res;
}
