/*===-- fortified.h - What _FORTIFY_SOURCE makes of calls --------*- C -*-===//
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* Calls of a function become calls of its checked variant, whatever the compiler
|* knows of sizes.
|*
\*===----------------------------------------------------------------------===*/
#ifndef FORTIFIED_H
#define FORTIFIED_H

#define ROOM ((size_t)-1)

/* clang-format off: one line each. */
void *__memcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);
void *__mempcpy_chk(void *, const void *, size_t, size_t);
void __explicit_bzero_chk(void *, size_t, size_t);
#define memcpy(d, s, n) __memcpy_chk(d, s, n, ROOM)
#define memmove(d, s, n) __memmove_chk(d, s, n, ROOM)
#define memset(d, c, n) __memset_chk(d, c, n, ROOM)
#define mempcpy(d, s, n) __mempcpy_chk(d, s, n, ROOM)
#define explicit_bzero(d, n) __explicit_bzero_chk(d, n, ROOM)

char *__strcpy_chk(char *, const char *, size_t);
char *__stpcpy_chk(char *, const char *, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t);
char *__stpncpy_chk(char *, const char *, size_t, size_t);
char *__strcat_chk(char *, const char *, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);
#define strcpy(d, s) __strcpy_chk(d, s, ROOM)
#define stpcpy(d, s) __stpcpy_chk(d, s, ROOM)
#define strncpy(d, s, n) __strncpy_chk(d, s, n, ROOM)
#define stpncpy(d, s, n) __stpncpy_chk(d, s, n, ROOM)
#define strcat(d, s) __strcat_chk(d, s, ROOM)
#define strncat(d, s, n) __strncat_chk(d, s, n, ROOM)

wchar_t *__wcscpy_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wcpcpy_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wcsncpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wcpncpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wcscat_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wcsncat_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmemcpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmemmove_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmempcpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmemset_chk(wchar_t *, wchar_t, size_t, size_t);
#define wcscpy(d, s) __wcscpy_chk(d, s, ROOM)
#define wcpcpy(d, s) __wcpcpy_chk(d, s, ROOM)
#define wcsncpy(d, s, n) __wcsncpy_chk(d, s, n, ROOM)
#define wcpncpy(d, s, n) __wcpncpy_chk(d, s, n, ROOM)
#define wcscat(d, s) __wcscat_chk(d, s, ROOM)
#define wcsncat(d, s, n) __wcsncat_chk(d, s, n, ROOM)
#define wmemcpy(d, s, n) __wmemcpy_chk(d, s, n, ROOM)
#define wmemmove(d, s, n) __wmemmove_chk(d, s, n, ROOM)
#define wmempcpy(d, s, n) __wmempcpy_chk(d, s, n, ROOM)
#define wmemset(d, c, n) __wmemset_chk(d, c, n, ROOM)

size_t __mbstowcs_chk(wchar_t *, const char *, size_t, size_t);
size_t __mbsrtowcs_chk(wchar_t *, const char **, size_t, mbstate_t *, size_t);
size_t __mbsnrtowcs_chk(wchar_t *, const char **, size_t, size_t, mbstate_t *, size_t);
size_t __wcstombs_chk(char *, const wchar_t *, size_t, size_t);
size_t __wcsrtombs_chk(char *, const wchar_t **, size_t, mbstate_t *, size_t);
size_t __wcsnrtombs_chk(char *, const wchar_t **, size_t, size_t, mbstate_t *, size_t);
size_t __wcrtomb_chk(char *, wchar_t, mbstate_t *, size_t);
int __wctomb_chk(char *, wchar_t, size_t);
#define mbstowcs(d, s, n) __mbstowcs_chk(d, s, n, ROOM)
#define mbsrtowcs(d, s, n, p) __mbsrtowcs_chk(d, s, n, p, ROOM)
#define mbsnrtowcs(d, s, m, n, p) __mbsnrtowcs_chk(d, s, m, n, p, ROOM)
#define wcstombs(d, s, n) __wcstombs_chk(d, s, n, ROOM)
#define wcsrtombs(d, s, n, p) __wcsrtombs_chk(d, s, n, p, ROOM)
#define wcsnrtombs(d, s, m, n, p) __wcsnrtombs_chk(d, s, m, n, p, ROOM)
#define wcrtomb(d, c, p) __wcrtomb_chk(d, c, p, ROOM)
#define wctomb(d, c) __wctomb_chk(d, c, ROOM)

int __printf_chk(int, const char *, ...);
int __fprintf_chk(FILE *, int, const char *, ...);
int __dprintf_chk(int, int, const char *, ...);
int __sprintf_chk(char *, int, size_t, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __asprintf_chk(char **, int, const char *, ...);
int __wprintf_chk(int, const wchar_t *, ...);
int __fwprintf_chk(FILE *, int, const wchar_t *, ...);
int __swprintf_chk(wchar_t *, size_t, int, size_t, const wchar_t *, ...);
int __obstack_printf_chk(struct obstack *, int, const char *, ...);
void __syslog_chk(int, int, const char *, ...);
#define printf(...) __printf_chk(1, __VA_ARGS__)
#define fprintf(f, ...) __fprintf_chk(f, 1, __VA_ARGS__)
#define dprintf(f, ...) __dprintf_chk(f, 1, __VA_ARGS__)
#define sprintf(s, ...) __sprintf_chk(s, 1, ROOM, __VA_ARGS__)
#define snprintf(s, n, ...) __snprintf_chk(s, n, 1, ROOM, __VA_ARGS__)
#define asprintf(s, ...) __asprintf_chk(s, 1, __VA_ARGS__)
#define wprintf(...) __wprintf_chk(1, __VA_ARGS__)
#define fwprintf(f, ...) __fwprintf_chk(f, 1, __VA_ARGS__)
#define swprintf(s, n, ...) __swprintf_chk(s, n, 1, ROOM, __VA_ARGS__)
#define obstack_printf(s, ...) __obstack_printf_chk(s, 1, __VA_ARGS__)
#define syslog(n, ...) __syslog_chk(n, 1, __VA_ARGS__)

char *__fgets_chk(char *, size_t, int, FILE *);
char *__fgets_unlocked_chk(char *, size_t, int, FILE *);
wchar_t *__fgetws_chk(wchar_t *, size_t, int, FILE *);
wchar_t *__fgetws_unlocked_chk(wchar_t *, size_t, int, FILE *);
char *__gets_chk(char *, size_t);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
size_t __fread_unlocked_chk(void *, size_t, size_t, size_t, FILE *);
#define fgets(s, n, f) __fgets_chk(s, ROOM, n, f)
#define fgets_unlocked(s, n, f) __fgets_unlocked_chk(s, ROOM, n, f)
#define fgetws(s, n, f) __fgetws_chk(s, ROOM, n, f)
#define fgetws_unlocked(s, n, f) __fgetws_unlocked_chk(s, ROOM, n, f)
#define fread(p, s, n, f) __fread_chk(p, ROOM, s, n, f)
#define fread_unlocked(p, s, n, f) __fread_unlocked_chk(p, ROOM, s, n, f)

ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void *, size_t, off_t, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, void *, socklen_t *);
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);
#define read(f, p, n) __read_chk(f, p, n, ROOM)
#define pread(f, p, n, o) __pread_chk(f, p, n, o, ROOM)
#define pread64(f, p, n, o) __pread64_chk(f, p, n, o, ROOM)
#define recv(f, p, n, g) __recv_chk(f, p, n, ROOM, g)
#define recvfrom(f, p, n, g, a, l) __recvfrom_chk(f, p, n, ROOM, g, a, l)
#define poll(p, n, t) __poll_chk(p, n, t, ROOM)
#define ppoll(p, n, t, m) __ppoll_chk(p, n, t, m, ROOM)

char *__getcwd_chk(char *, size_t, size_t);
char *__getwd_chk(char *, size_t);
char *__realpath_chk(const char *, char *, size_t);
ssize_t __readlink_chk(const char *, char *, size_t, size_t);
ssize_t __readlinkat_chk(int, const char *, char *, size_t, size_t);
int __ptsname_r_chk(int, char *, size_t, size_t);
int __ttyname_r_chk(int, char *, size_t, size_t);
int __gethostname_chk(char *, size_t, size_t);
int __getdomainname_chk(char *, size_t, size_t);
int __getlogin_r_chk(char *, size_t, size_t);
size_t __confstr_chk(int, char *, size_t, size_t);
int __getgroups_chk(int, gid_t *, size_t);
#define getcwd(s, n) __getcwd_chk(s, n, ROOM)
#define realpath(p, s) __realpath_chk(p, s, ROOM)
#define readlink(p, s, n) __readlink_chk(p, s, n, ROOM)
#define readlinkat(f, p, s, n) __readlinkat_chk(f, p, s, n, ROOM)
#define ptsname_r(f, s, n) __ptsname_r_chk(f, s, n, ROOM)
#define ttyname_r(f, s, n) __ttyname_r_chk(f, s, n, ROOM)
#define gethostname(s, n) __gethostname_chk(s, n, ROOM)
#define getdomainname(s, n) __getdomainname_chk(s, n, ROOM)
#define getlogin_r(s, n) __getlogin_r_chk(s, n, ROOM)
#define confstr(i, s, n) __confstr_chk(i, s, n, ROOM)
#define getgroups(n, p) __getgroups_chk(n, p, ROOM)

#endif /* FORTIFIED_H */
