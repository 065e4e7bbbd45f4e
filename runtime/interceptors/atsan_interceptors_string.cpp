//===-- atsan_interceptors_string.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that copy or measure strings: exactly the bytes that they read and
// write. Those that compare and search are in atsan_interceptors_strsearch.cpp.
//
//===----------------------------------------------------------------------===//
#include "atsan_interceptors.h"
#include "sanitizer_common/sanitizer_libc.h"

using namespace __atsan;

// Bytes that a function reads of a string of which it wants no more than `max`.
static uptr BytesRead(const char *s, uptr max) {
  uptr length = internal_strnlen(s, max);
  return length < max ? length + 1 : max;
}

// --- Length. -----------------------------------------------------------------

ATSAN_INTERCEPTOR(uptr, strlen, const char *s) {
  if (MayBypass())
    return REAL(strlen)(s);
  if (!runtime_ready)
    return internal_strlen(s);
  ATSAN_RECORDER();
  uptr length = REAL(strlen)(s);
  recorder.Read(s, length + 1);
  return length;
}

ATSAN_INTERCEPTOR(uptr, strnlen, const char *s, uptr max) {
  if (MayBypass())
    return REAL(strnlen)(s, max);
  ATSAN_RECORDER();
  uptr length = REAL(strnlen)(s, max);
  recorder.Read(s, length < max ? length + 1 : max);
  return length;
}

// --- Copies. -----------------------------------------------------------------

static void RecordCopy(const AccessRecorder &recorder, const char *dst,
                       const char *src) {
  if (!recorder.Wanted())
    return;
  uptr size = internal_strlen(src) + 1;
  recorder.Read(src, size);
  recorder.Write(dst, size);
}

// strncpy and stpncpy fill the rest with zeros.
static void RecordBoundedCopy(const AccessRecorder &recorder, const char *dst,
                              const char *src, uptr size) {
  if (!recorder.Wanted())
    return;
  recorder.Read(src, BytesRead(src, size));
  recorder.Write(dst, size);
}

static void RecordAppend(const AccessRecorder &recorder, const char *dst,
                         const char *src, uptr max) {
  if (!recorder.Wanted())
    return;
  uptr old_length = internal_strlen(dst);
  recorder.Read(dst, old_length + 1);
  recorder.Read(src, BytesRead(src, max));
  recorder.Write(dst + old_length, internal_strnlen(src, max) + 1);
}

constexpr uptr kUnbounded = ~static_cast<uptr>(0);

ATSAN_INTERCEPTOR(char *, strcpy, char *dst, const char *src) {
  if (MayBypass())
    return REAL(strcpy)(dst, src);
  ATSAN_RECORDER();
  RecordCopy(recorder, dst, src);
  return REAL(strcpy)(dst, src);
}

ATSAN_INTERCEPTOR(char *, stpcpy, char *dst, const char *src) {
  if (MayBypass())
    return REAL(stpcpy)(dst, src);
  ATSAN_RECORDER();
  RecordCopy(recorder, dst, src);
  return REAL(stpcpy)(dst, src);
}

ATSAN_INTERCEPTOR(char *, strncpy, char *dst, const char *src, uptr size) {
  if (MayBypass())
    return REAL(strncpy)(dst, src, size);
  ATSAN_RECORDER();
  RecordBoundedCopy(recorder, dst, src, size);
  return REAL(strncpy)(dst, src, size);
}

ATSAN_INTERCEPTOR(char *, stpncpy, char *dst, const char *src, uptr size) {
  if (MayBypass())
    return REAL(stpncpy)(dst, src, size);
  ATSAN_RECORDER();
  RecordBoundedCopy(recorder, dst, src, size);
  return REAL(stpncpy)(dst, src, size);
}

ATSAN_INTERCEPTOR(char *, strcat, char *dst, const char *src) {
  if (MayBypass())
    return REAL(strcat)(dst, src);
  ATSAN_RECORDER();
  RecordAppend(recorder, dst, src, kUnbounded);
  return REAL(strcat)(dst, src);
}

ATSAN_INTERCEPTOR(char *, strncat, char *dst, const char *src, uptr max) {
  if (MayBypass())
    return REAL(strncat)(dst, src, max);
  ATSAN_RECORDER();
  RecordAppend(recorder, dst, src, max);
  return REAL(strncat)(dst, src, max);
}

// The new block is not published yet: nothing is recorded for it.
ATSAN_INTERCEPTOR(char *, strdup, const char *s) {
  if (MayBypass())
    return REAL(strdup)(s);
  ATSAN_RECORDER();
  if (recorder.Wanted())
    recorder.Read(s, internal_strlen(s) + 1);
  return REAL(strdup)(s);
}

ATSAN_INTERCEPTOR(char *, __strdup, const char *s) {
  if (MayBypass())
    return REAL(__strdup)(s);
  ATSAN_RECORDER();
  if (recorder.Wanted())
    recorder.Read(s, internal_strlen(s) + 1);
  return REAL(__strdup)(s);
}

ATSAN_INTERCEPTOR(char *, strndup, const char *s, uptr max) {
  if (MayBypass())
    return REAL(strndup)(s, max);
  ATSAN_RECORDER();
  if (recorder.Wanted())
    recorder.Read(s, BytesRead(s, max));
  return REAL(strndup)(s, max);
}

// --- _FORTIFY_SOURCE. --------------------------------------------------------

ATSAN_INTERCEPTOR(char *, __strcpy_chk, char *dst, const char *src,
                  uptr dst_size) {
  if (MayBypass())
    return REAL(__strcpy_chk)(dst, src, dst_size);
  ATSAN_RECORDER();
  RecordCopy(recorder, dst, src);
  return REAL(__strcpy_chk)(dst, src, dst_size);
}

ATSAN_INTERCEPTOR(char *, __stpcpy_chk, char *dst, const char *src,
                  uptr dst_size) {
  if (MayBypass())
    return REAL(__stpcpy_chk)(dst, src, dst_size);
  ATSAN_RECORDER();
  RecordCopy(recorder, dst, src);
  return REAL(__stpcpy_chk)(dst, src, dst_size);
}

ATSAN_INTERCEPTOR(char *, __strncpy_chk, char *dst, const char *src, uptr size,
                  uptr dst_size) {
  if (MayBypass())
    return REAL(__strncpy_chk)(dst, src, size, dst_size);
  ATSAN_RECORDER();
  RecordBoundedCopy(recorder, dst, src, size);
  return REAL(__strncpy_chk)(dst, src, size, dst_size);
}

ATSAN_INTERCEPTOR(char *, __strcat_chk, char *dst, const char *src,
                  uptr dst_size) {
  if (MayBypass())
    return REAL(__strcat_chk)(dst, src, dst_size);
  ATSAN_RECORDER();
  RecordAppend(recorder, dst, src, kUnbounded);
  return REAL(__strcat_chk)(dst, src, dst_size);
}

ATSAN_INTERCEPTOR(char *, __strncat_chk, char *dst, const char *src, uptr max,
                  uptr dst_size) {
  if (MayBypass())
    return REAL(__strncat_chk)(dst, src, max, dst_size);
  ATSAN_RECORDER();
  RecordAppend(recorder, dst, src, max);
  return REAL(__strncat_chk)(dst, src, max, dst_size);
}
