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

ATSAN_INTERCEPTOR(char *, strcpy, char *dst, const char *src) {
  ATSAN_ENTER(strcpy, dst, src);
  RecordCopy(recorder, dst, src);
  return REAL(strcpy)(dst, src);
}

ATSAN_INTERCEPTOR(char *, stpcpy, char *dst, const char *src) {
  ATSAN_ENTER(stpcpy, dst, src);
  RecordCopy(recorder, dst, src);
  return REAL(stpcpy)(dst, src);
}

ATSAN_INTERCEPTOR(char *, strncpy, char *dst, const char *src, uptr size) {
  ATSAN_ENTER(strncpy, dst, src, size);
  RecordBoundedCopy(recorder, dst, src, size);
  return REAL(strncpy)(dst, src, size);
}

ATSAN_INTERCEPTOR(char *, stpncpy, char *dst, const char *src, uptr size) {
  ATSAN_ENTER(stpncpy, dst, src, size);
  RecordBoundedCopy(recorder, dst, src, size);
  return REAL(stpncpy)(dst, src, size);
}

ATSAN_INTERCEPTOR(char *, strcat, char *dst, const char *src) {
  ATSAN_ENTER(strcat, dst, src);
  RecordAppend(recorder, dst, src, kUnbounded);
  return REAL(strcat)(dst, src);
}

ATSAN_INTERCEPTOR(char *, strncat, char *dst, const char *src, uptr max) {
  ATSAN_ENTER(strncat, dst, src, max);
  RecordAppend(recorder, dst, src, max);
  return REAL(strncat)(dst, src, max);
}

// The new block is not published yet: nothing is recorded for it.
ATSAN_INTERCEPTOR(char *, strdup, const char *s) {
  ATSAN_ENTER(strdup, s);
  recorder.ReadString(s);
  return REAL(strdup)(s);
}

ATSAN_INTERCEPTOR(char *, __strdup, const char *s) {
  ATSAN_ENTER(__strdup, s);
  recorder.ReadString(s);
  return REAL(__strdup)(s);
}

// --- _FORTIFY_SOURCE. --------------------------------------------------------

ATSAN_INTERCEPTOR(char *, __strcpy_chk, char *dst, const char *src,
                  uptr dst_size) {
  ATSAN_ENTER(__strcpy_chk, dst, src, dst_size);
  RecordCopy(recorder, dst, src);
  return REAL(__strcpy_chk)(dst, src, dst_size);
}

ATSAN_INTERCEPTOR(char *, __stpcpy_chk, char *dst, const char *src,
                  uptr dst_size) {
  ATSAN_ENTER(__stpcpy_chk, dst, src, dst_size);
  RecordCopy(recorder, dst, src);
  return REAL(__stpcpy_chk)(dst, src, dst_size);
}

ATSAN_INTERCEPTOR(char *, __strncpy_chk, char *dst, const char *src, uptr size,
                  uptr dst_size) {
  ATSAN_ENTER(__strncpy_chk, dst, src, size, dst_size);
  RecordBoundedCopy(recorder, dst, src, size);
  return REAL(__strncpy_chk)(dst, src, size, dst_size);
}

ATSAN_INTERCEPTOR(char *, __strcat_chk, char *dst, const char *src,
                  uptr dst_size) {
  ATSAN_ENTER(__strcat_chk, dst, src, dst_size);
  RecordAppend(recorder, dst, src, kUnbounded);
  return REAL(__strcat_chk)(dst, src, dst_size);
}

ATSAN_INTERCEPTOR(char *, __strncat_chk, char *dst, const char *src, uptr max,
                  uptr dst_size) {
  ATSAN_ENTER(__strncat_chk, dst, src, max, dst_size);
  RecordAppend(recorder, dst, src, max);
  return REAL(__strncat_chk)(dst, src, max, dst_size);
}
