//===-- atsan_interceptors_string.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that copy strings, narrow and wide: exactly the bytes that they
// read and write. Those that compare and split are in
// atsan_interceptors_strsearch.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_format.h"

using namespace __atsan;

// --- Copies. -----------------------------------------------------------------

template <class Char>
static void RecordCopy(const AccessRecorder &recorder, const Char *dst,
                       const Char *src) {
  const uptr size = StringRead(src, kUnbounded) * sizeof(Char);
  recorder.Read(src, size);
  recorder.Write(dst, size);
}

// Tells the accesses of a bounded copy, which fills the rest with zeros.
template <class Char>
static void RecordBoundedCopy(const AccessRecorder &recorder, const Char *dst,
                              const Char *src, uptr size) {
  recorder.Read(src, StringRead(src, size) * sizeof(Char));
  recorder.Write(dst, size * sizeof(Char));
}

// Defines the interceptors of a function that copies a string and of its
// bounded twin.
#define ATSAN_COPY_INTERCEPTORS(Char, func, bounded)                     \
  ATSAN_BEFORE(Char *, func, (Char *dst, const Char *src), (dst, src),   \
               RecordCopy(recorder, dst, src))                           \
  ATSAN_BEFORE(Char *, bounded, (Char *dst, const Char *src, uptr size), \
               (dst, src, size), RecordBoundedCopy(recorder, dst, src, size))

ATSAN_COPY_INTERCEPTORS(char, strcpy, strncpy)
ATSAN_COPY_INTERCEPTORS(char, stpcpy, stpncpy)
ATSAN_COPY_INTERCEPTORS(wchar_t, wcscpy, wcsncpy)
ATSAN_COPY_INTERCEPTORS(wchar_t, wcpcpy, wcpncpy)

static void RecordAppend(const AccessRecorder &recorder, const char *dst,
                         const char *src, uptr max) {
  uptr old_length = internal_strlen(dst);
  recorder.Read(dst, old_length + 1);
  recorder.Read(src, StringRead(src, max));
  recorder.Write(dst + old_length, internal_strnlen(src, max) + 1);
}

ATSAN_BEFORE(char *, strcat, (char *dst, const char *src), (dst, src),
             RecordAppend(recorder, dst, src, kUnbounded))
ATSAN_BEFORE(char *, strncat, (char *dst, const char *src, uptr max),
             (dst, src, max), RecordAppend(recorder, dst, src, max))

// The new block is not published yet: nothing is recorded for it.
ATSAN_BEFORE(char *, strdup, (const char *s), (s), recorder.ReadString(s))

// --- _FORTIFY_SOURCE. --------------------------------------------------------

ATSAN_BEFORE(char *, __strcpy_chk, (char *dst, const char *src, uptr room),
             (dst, src, room), RecordCopy(recorder, dst, src))
ATSAN_BEFORE(char *, __stpcpy_chk, (char *dst, const char *src, uptr room),
             (dst, src, room), RecordCopy(recorder, dst, src))
ATSAN_BEFORE(char *, __strncpy_chk,
             (char *dst, const char *src, uptr size, uptr room),
             (dst, src, size, room),
             RecordBoundedCopy(recorder, dst, src, size))
ATSAN_BEFORE(char *, __strcat_chk, (char *dst, const char *src, uptr room),
             (dst, src, room), RecordAppend(recorder, dst, src, kUnbounded))
ATSAN_BEFORE(char *, __strncat_chk,
             (char *dst, const char *src, uptr max, uptr room),
             (dst, src, max, room), RecordAppend(recorder, dst, src, max))
