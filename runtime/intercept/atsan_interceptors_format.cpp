//===-- atsan_interceptors_format.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// printf, scanf and their like. A function with "..." is defined by the one
// that takes a va_list, whose frame reports leave out.
//
//===----------------------------------------------------------------------===//
#include <obstack.h>

#include "runtime/intercept/atsan_format.h"

using namespace __atsan;

// The functions NAME and VNAME with the same parameters, the last of which is
// `format`. BEFORE and AFTER, with `res`, record what is special to them.
#define ATSAN_FORMAT_INTERCEPTORS(name, vname, parameters, arguments, before, \
                                  after)                                      \
  ATSAN_INTERCEPTOR(int, vname, ATSAN_UNPACK parameters, va_list ap) {        \
    ATSAN_ENTER(vname, ATSAN_UNPACK arguments, ap);                           \
    va_list copy;                                                             \
    va_copy(copy, ap);                                                        \
    before;                                                                   \
    int res = REAL(vname)(ATSAN_UNPACK arguments, ap);                        \
    after;                                                                    \
    va_end(copy);                                                             \
    return res;                                                               \
  }                                                                           \
  ATSAN_INTERCEPTOR(int, name, ATSAN_UNPACK parameters, ...) {                \
    va_list ap;                                                               \
    va_start(ap, format);                                                     \
    int res = WRAP(vname)(ATSAN_UNPACK arguments, ap);                        \
    va_end(ap);                                                               \
    return res;                                                               \
  }

#define ATSAN_PRINTF_INTERCEPTORS(name, parameters, arguments, after) \
  ATSAN_FORMAT_INTERCEPTORS(name, v##name, parameters, arguments,     \
                            RecordPrintf(recorder, format, copy), after)

#define ATSAN_PRINTF_CHK_INTERCEPTORS(name, parameters, arguments, after)    \
  ATSAN_FORMAT_INTERCEPTORS(__##name##_chk, __v##name##_chk, parameters,     \
                            arguments, RecordPrintf(recorder, format, copy), \
                            after)

// --- To streams and descriptors. ---------------------------------------------

ATSAN_PRINTF_INTERCEPTORS(printf, (const char *format), (format), )
ATSAN_PRINTF_INTERCEPTORS(fprintf, (void *file, const char *format),
                          (file, format), )
ATSAN_PRINTF_INTERCEPTORS(dprintf, (int fd, const char *format), (fd, format), )
ATSAN_PRINTF_INTERCEPTORS(wprintf, (const wchar_t *format), (format), )
ATSAN_PRINTF_INTERCEPTORS(fwprintf, (void *file, const wchar_t *format),
                          (file, format), )

ATSAN_PRINTF_CHK_INTERCEPTORS(printf, (int flag, const char *format),
                              (flag, format), )
ATSAN_PRINTF_CHK_INTERCEPTORS(fprintf,
                              (void *file, int flag, const char *format),
                              (file, flag, format), )
ATSAN_PRINTF_CHK_INTERCEPTORS(dprintf, (int fd, int flag, const char *format),
                              (fd, flag, format), )
ATSAN_PRINTF_CHK_INTERCEPTORS(wprintf, (int flag, const wchar_t *format),
                              (flag, format), )
ATSAN_PRINTF_CHK_INTERCEPTORS(fwprintf,
                              (void *file, int flag, const wchar_t *format),
                              (file, flag, format), )

// --- To memory. --------------------------------------------------------------

// Tells a write of as many characters as fit, and of the end. `res` is how many
// characters there would be.
static void WritePrinted(const AccessRecorder &recorder, const char *s,
                         uptr size, int res) {
  if (res >= 0)
    recorder.Write(s, Min<uptr>(size, static_cast<uptr>(res) + 1));
}

static void WriteAllocated(const AccessRecorder &recorder, char **s, int res) {
  recorder.WriteObject(s);
  if (res >= 0)
    recorder.Write(*s, static_cast<uptr>(res) + 1);
}

ATSAN_PRINTF_INTERCEPTORS(sprintf, (char *s, const char *format), (s, format),
                          WritePrinted(recorder, s, kUnbounded, res))
ATSAN_PRINTF_INTERCEPTORS(snprintf, (char *s, uptr size, const char *format),
                          (s, size, format),
                          WritePrinted(recorder, s, size, res))
ATSAN_PRINTF_INTERCEPTORS(asprintf, (char **s, const char *format), (s, format),
                          WriteAllocated(recorder, s, res))
// swprintf fails where the result does not fit, and has written what does, with
// an end. At a character that cannot be converted it fails, too, without one.
static void WritePrinted(const AccessRecorder &recorder, const wchar_t *s,
                         uptr size, int res) {
  if (res >= 0)
    recorder.Write(s, (static_cast<uptr>(res) + 1) * sizeof(wchar_t));
  else if (size && size <= kUnbounded && !s[size - 1])
    recorder.Write(s, size * sizeof(wchar_t));
}

ATSAN_PRINTF_INTERCEPTORS(swprintf,
                          (wchar_t *s, uptr size, const wchar_t *format),
                          (s, size, format),
                          WritePrinted(recorder, s, size, res))

ATSAN_PRINTF_CHK_INTERCEPTORS(
    sprintf, (char *s, int flag, uptr room, const char *format),
    (s, flag, room, format), WritePrinted(recorder, s, kUnbounded, res))
ATSAN_PRINTF_CHK_INTERCEPTORS(
    snprintf, (char *s, uptr size, int flag, uptr room, const char *format),
    (s, size, flag, room, format), WritePrinted(recorder, s, size, res))
ATSAN_PRINTF_CHK_INTERCEPTORS(asprintf,
                              (char **s, int flag, const char *format),
                              (s, flag, format),
                              WriteAllocated(recorder, s, res))

ATSAN_PRINTF_CHK_INTERCEPTORS(swprintf,
                              (wchar_t *s, uptr size, int flag, uptr room,
                               const wchar_t *format),
                              (s, size, flag, room, format),
                              WritePrinted(recorder, s, size, res))

// The object that grows on an obstack may move to do so.
static void RecordGrowth(const AccessRecorder &recorder, const obstack &before,
                         const obstack *stack, int res) {
  recorder.WriteObject(stack);
  if (res < 0)
    return;
  const char *begin = stack->next_free - res;
  if (stack->object_base != before.object_base) {
    recorder.Read(before.object_base, before.next_free - before.object_base);
    begin = stack->object_base;
  }
  recorder.Write(begin, stack->next_free - begin);
}

#define ATSAN_OBSTACK_BEFORE()          \
  const obstack before_growth = *stack; \
  recorder.ReadObject(stack);           \
  RecordPrintf(recorder, format, copy)

ATSAN_FORMAT_INTERCEPTORS(obstack_printf, obstack_vprintf,
                          (obstack *stack, const char *format), (stack, format),
                          ATSAN_OBSTACK_BEFORE(),
                          RecordGrowth(recorder, before_growth, stack, res))
ATSAN_FORMAT_INTERCEPTORS(__obstack_printf_chk, __obstack_vprintf_chk,
                          (obstack *stack, int flag, const char *format),
                          (stack, flag, format), ATSAN_OBSTACK_BEFORE(),
                          RecordGrowth(recorder, before_growth, stack, res))

// --- scanf: all of a string is read, to find its end. ------------------------

#define ATSAN_SCANF_INTERCEPTORS(prefix, name, parameters, arguments, before) \
  ATSAN_FORMAT_INTERCEPTORS(prefix##name, prefix##v##name, parameters,        \
                            arguments, before,                                \
                            RecordScanf(recorder, format, copy, res))

// The scanf functions have three names each, for the language standards.
#define ATSAN_SCANF_FAMILY(prefix)                                            \
  ATSAN_SCANF_INTERCEPTORS(prefix, scanf, (const char *format), (format), )   \
  ATSAN_SCANF_INTERCEPTORS(prefix, fscanf, (void *file, const char *format),  \
                           (file, format), )                                  \
  ATSAN_SCANF_INTERCEPTORS(prefix, sscanf,                                    \
                           (const char *s, const char *format), (s, format),  \
                           ReadString(recorder, s))                           \
  ATSAN_SCANF_INTERCEPTORS(prefix, wscanf, (const wchar_t *format),           \
                           (format), )                                        \
  ATSAN_SCANF_INTERCEPTORS(                                                   \
      prefix, fwscanf, (void *file, const wchar_t *format), (file, format), ) \
  ATSAN_SCANF_INTERCEPTORS(prefix, swscanf,                                   \
                           (const wchar_t *s, const wchar_t *format),         \
                           (s, format), ReadString(recorder, s))

ATSAN_SCANF_FAMILY()
ATSAN_SCANF_FAMILY(__isoc99_)
ATSAN_SCANF_FAMILY(__isoc23_)

// --- The system's log. -------------------------------------------------------

#define ATSAN_SYSLOG_INTERCEPTORS(name, vname, parameters, arguments)   \
  ATSAN_INTERCEPTOR(void, vname, ATSAN_UNPACK parameters, va_list ap) { \
    ATSAN_ENTER(vname, ATSAN_UNPACK arguments, ap);                     \
    va_list copy;                                                       \
    va_copy(copy, ap);                                                  \
    RecordPrintf(recorder, format, copy);                               \
    va_end(copy);                                                       \
    REAL(vname)(ATSAN_UNPACK arguments, ap);                            \
  }                                                                     \
  ATSAN_INTERCEPTOR(void, name, ATSAN_UNPACK parameters, ...) {         \
    va_list ap;                                                         \
    va_start(ap, format);                                               \
    WRAP(vname)(ATSAN_UNPACK arguments, ap);                            \
    va_end(ap);                                                         \
  }

ATSAN_SYSLOG_INTERCEPTORS(syslog, vsyslog, (int priority, const char *format),
                          (priority, format))
ATSAN_SYSLOG_INTERCEPTORS(__syslog_chk, __vsyslog_chk,
                          (int priority, int flag, const char *format),
                          (priority, flag, format))
