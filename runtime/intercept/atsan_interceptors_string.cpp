//===-- atsan_interceptors_string.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that copy strings: exactly the bytes that they read and write.
// Those that compare, search and split are in atsan_interceptors_strsearch.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_format.h"

using namespace __atsan;

// --- Copies. -----------------------------------------------------------------

static void RecordCopy(const AccessRecorder &recorder, const char *dst,
                       const char *src) {
  uptr size = internal_strlen(src) + 1;
  recorder.Read(src, size);
  recorder.Write(dst, size);
}

// strncpy and stpncpy fill the rest with zeros.
static void RecordBoundedCopy(const AccessRecorder &recorder, const char *dst,
                              const char *src, uptr size) {
  recorder.Read(src, StringRead(src, size));
  recorder.Write(dst, size);
}

static void RecordAppend(const AccessRecorder &recorder, const char *dst,
                         const char *src, uptr max) {
  uptr old_length = internal_strlen(dst);
  recorder.Read(dst, old_length + 1);
  recorder.Read(src, StringRead(src, max));
  recorder.Write(dst + old_length, internal_strnlen(src, max) + 1);
}

ATSAN_BEFORE(char *, strcpy, (char *dst, const char *src), (dst, src),
             RecordCopy(recorder, dst, src))

ATSAN_BEFORE(char *, stpcpy, (char *dst, const char *src), (dst, src),
             RecordCopy(recorder, dst, src))

ATSAN_BEFORE(char *, strncpy, (char *dst, const char *src, uptr size),
             (dst, src, size), RecordBoundedCopy(recorder, dst, src, size))

ATSAN_BEFORE(char *, stpncpy, (char *dst, const char *src, uptr size),
             (dst, src, size), RecordBoundedCopy(recorder, dst, src, size))

ATSAN_BEFORE(char *, strcat, (char *dst, const char *src), (dst, src),
             RecordAppend(recorder, dst, src, kUnbounded))

ATSAN_BEFORE(char *, strncat, (char *dst, const char *src, uptr max),
             (dst, src, max), RecordAppend(recorder, dst, src, max))

// The new block is not published yet: nothing is recorded for it.
ATSAN_BEFORE(char *, strdup, (const char *s), (s), recorder.ReadString(s))

ATSAN_BEFORE(char *, __strdup, (const char *s), (s), recorder.ReadString(s))

// --- _FORTIFY_SOURCE. --------------------------------------------------------

ATSAN_BEFORE(char *, __strcpy_chk, (char *dst, const char *src, uptr dst_size),
             (dst, src, dst_size), RecordCopy(recorder, dst, src))

ATSAN_BEFORE(char *, __stpcpy_chk, (char *dst, const char *src, uptr dst_size),
             (dst, src, dst_size), RecordCopy(recorder, dst, src))

ATSAN_BEFORE(char *, __strncpy_chk,
             (char *dst, const char *src, uptr size, uptr dst_size),
             (dst, src, size, dst_size),
             RecordBoundedCopy(recorder, dst, src, size))

ATSAN_BEFORE(char *, __strcat_chk, (char *dst, const char *src, uptr dst_size),
             (dst, src, dst_size), RecordAppend(recorder, dst, src, kUnbounded))

ATSAN_BEFORE(char *, __strncat_chk,
             (char *dst, const char *src, uptr max, uptr dst_size),
             (dst, src, max, dst_size), RecordAppend(recorder, dst, src, max))
