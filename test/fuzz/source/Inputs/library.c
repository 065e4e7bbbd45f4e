/*===- library.c - Functions of libc that tell what they access ---------------
===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* In place of libc's: they tell the bytes that decide the result, and no
others,
|* as the hook and as the machine code.
|*
\*===----------------------------------------------------------------------===*/
#include "recorder.h"

void *memcpy(void *to, const void *from, size_t size) {
  both(from, size, 0);
  both(to, size, 1);
  for (size_t i = 0; i < size; ++i)
    ((char *)to)[i] = ((const char *)from)[i];
  return to;
}
void *mempcpy(void *to, const void *from, size_t size) {
  return (char *)memcpy(to, from, size) + size;
}
void *memmove(void *to, const void *from, size_t size) {
  if ((uintptr_t)to <= (uintptr_t)from)
    return memcpy(to, from, size);
  both(from, size, 0);
  both(to, size, 1);
  for (size_t i = size; i-- > 0;)
    ((char *)to)[i] = ((const char *)from)[i];
  return to;
}
void *memset(void *to, int byte, size_t size) {
  both(to, size, 1);
  for (size_t i = 0; i < size; ++i)
    ((char *)to)[i] = (char)byte;
  return to;
}
void *__atsan_memcpy(void *to, const void *from, uint64_t size) {
  return memcpy(to, from, size);
}
void *__asan_memcpy(void *to, const void *from, uint64_t size) {
  return memcpy(to, from, size);
}
void *__asan_memmove(void *to, const void *from, uint64_t size) {
  return memmove(to, from, size);
}
void *__asan_memset(void *to, int byte, uint64_t size) {
  return memset(to, byte, size);
}
void *__atsan_memmove(void *to, const void *from, uint64_t size) {
  return memmove(to, from, size);
}
void *__atsan_memset(void *to, int byte, uint64_t size) {
  return memset(to, byte, size);
}

static int differ(const char *a, const char *b, size_t size, int is_text) {
  size_t i = 0;
  int result = 0;
  for (; i < size; ++i) {
    result = (unsigned char)a[i] - (unsigned char)b[i];
    if (result || (is_text && !a[i])) {
      ++i;
      break;
    }
  }
  both(a, i, 0);
  both(b, i, 0);
  return result;
}
int memcmp(const void *a, const void *b, size_t size) {
  return differ(a, b, size, 0);
}
int bcmp(const void *a, const void *b, size_t size) {
  return differ(a, b, size, 0);
}
int strcmp(const char *a, const char *b) { return differ(a, b, SIZE_MAX, 1); }
int strncmp(const char *a, const char *b, size_t size) {
  return differ(a, b, size, 1);
}

/* As far as the byte, the zero of a text, or the end. */
static const char *find(const char *text, int byte, size_t size, int is_text) {
  for (size_t i = 0; i < size; ++i) {
    int is_found = text[i] == (char)byte;
    if (is_found || (is_text && !text[i])) {
      both(text, i + 1, 0);
      return is_found ? text + i : 0;
    }
  }
  both(text, size, 0);
  return 0;
}
void *memchr(const void *at, int byte, size_t size) {
  return (void *)find(at, byte, size, 0);
}
char *strchr(const char *text, int byte) {
  return (char *)find(text, byte, SIZE_MAX, 1);
}
size_t strlen(const char *text) {
  return (size_t)(find(text, 0, SIZE_MAX, 1) - text);
}
size_t strnlen(const char *text, size_t size) {
  const char *end = find(text, 0, size, 1);
  return end ? (size_t)(end - text) : size;
}
char *strrchr(const char *text, int byte) {
  char *result = 0;
  for (size_t i = 0, size = strlen(text); i <= size; ++i) {
    if (text[i] == (char)byte)
      result = (char *)text + i;
  }
  return result;
}
char *stpcpy(char *to, const char *from) {
  size_t size = strlen(from);
  memcpy(to, from, size + 1);
  return to + size;
}
char *strcpy(char *to, const char *from) {
  stpcpy(to, from);
  return to;
}
char *strncpy(char *to, const char *from, size_t size) {
  size_t length = strnlen(from, size);
  both(from, length, 0);
  both(to, size, 1);
  for (size_t i = 0; i < size; ++i)
    to[i] = i < length ? from[i] : 0;
  return to;
}
char *strcat(char *to, const char *from) {
  stpcpy(to + strlen(to), from);
  return to;
}
char *strstr(const char *text, const char *part) {
  size_t length = strlen(part);
  for (;; ++text) {
    if (!strncmp(text, part, length))
      return (char *)text;
    if (!*text)
      return 0;
  }
}
