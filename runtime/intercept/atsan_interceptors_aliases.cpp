//===-- atsan_interceptors_aliases.cpp ------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Other names that libc has for functions that are intercepted: each leads to
// the interceptor of the usual one. test/runtime/libc/variants.test finds those
// that are missing.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_interceptors.h"

// Defines a name that does nothing but jump: the arguments are where the other
// function looks for them, however many there are.
#define ATSAN_ALIAS(alias, func)                        \
  extern "C" __attribute__((naked)) void WRAP(alias)(); \
  ATSAN_INTERCEPTOR_ALONE(void, alias) {                \
    __asm__("jmp __interceptor_" #func "@PLT");         \
  }

// --- The allocator. ----------------------------------------------------------

ATSAN_ALIAS(__libc_calloc, calloc)
ATSAN_ALIAS(__libc_free, free)
ATSAN_ALIAS(__libc_malloc, malloc)
ATSAN_ALIAS(__libc_memalign, memalign)
ATSAN_ALIAS(__libc_pvalloc, pvalloc)
ATSAN_ALIAS(__libc_realloc, realloc)
ATSAN_ALIAS(__libc_valloc, valloc)

// --- Names that the C standard reserves. -------------------------------------

ATSAN_ALIAS(__asprintf, asprintf)
ATSAN_ALIAS(__backtrace, backtrace)
ATSAN_ALIAS(__backtrace_symbols, backtrace_symbols)
ATSAN_ALIAS(__bzero, bzero)
ATSAN_ALIAS(__connect, connect)
ATSAN_ALIAS(__fcntl, fcntl)
ATSAN_ALIAS(__getmntent_r, getmntent_r)
ATSAN_ALIAS(__gettimeofday, gettimeofday)
ATSAN_ALIAS(__gmtime_r, gmtime_r)
ATSAN_ALIAS(__mbrlen, mbrlen)
ATSAN_ALIAS(__mbrtowc, mbrtowc)
ATSAN_ALIAS(__mempcpy, mempcpy)
ATSAN_ALIAS(__nanosleep, nanosleep)
ATSAN_ALIAS(__open, open)
ATSAN_ALIAS(__open64, open)
ATSAN_ALIAS(__pipe, pipe)
ATSAN_ALIAS(__poll, poll)
ATSAN_ALIAS(__pread64, pread64)
ATSAN_ALIAS(__pwrite64, pwrite)
ATSAN_ALIAS(__rawmemchr, rawmemchr)
ATSAN_ALIAS(__read, read)
ATSAN_ALIAS(__sbrk, sbrk)
ATSAN_ALIAS(__sched_getparam, sched_getparam)
ATSAN_ALIAS(__sched_yield, sched_yield)
ATSAN_ALIAS(__select, select)
ATSAN_ALIAS(__send, send)
ATSAN_ALIAS(__sigaction, sigaction)
ATSAN_ALIAS(__statfs, statfs)
ATSAN_ALIAS(__stpcpy, stpcpy)
ATSAN_ALIAS(__stpncpy, stpncpy)
ATSAN_ALIAS(__strcasecmp, strcasecmp)
ATSAN_ALIAS(__strcasecmp_l, strcasecmp_l)
ATSAN_ALIAS(__strcasestr, strcasestr)
ATSAN_ALIAS(__strcoll_l, strcoll_l)
ATSAN_ALIAS(__strdup, strdup)
ATSAN_ALIAS(__strerror_r, strerror_r)
ATSAN_ALIAS(__strftime_l, strftime_l)
ATSAN_ALIAS(__strncasecmp_l, strncasecmp_l)
ATSAN_ALIAS(__strsep_g, strsep)
ATSAN_ALIAS(__strtod_l, strtod_l)
ATSAN_ALIAS(__strtof_l, strtof_l)
ATSAN_ALIAS(__strtok_r, strtok_r)
ATSAN_ALIAS(__strtol_l, strtol_l)
ATSAN_ALIAS(__strtold_l, strtold_l)
ATSAN_ALIAS(__strtoll_l, strtoll_l)
ATSAN_ALIAS(__strtoul_l, strtoul_l)
ATSAN_ALIAS(__strtoull_l, strtoull_l)
ATSAN_ALIAS(__strverscmp, strverscmp)
ATSAN_ALIAS(__vfscanf, vfscanf)
ATSAN_ALIAS(__vsnprintf, vsnprintf)
ATSAN_ALIAS(__vsscanf, vsscanf)
ATSAN_ALIAS(__wait, wait)
ATSAN_ALIAS(__waitpid, waitpid)
ATSAN_ALIAS(__wcscasecmp_l, wcscasecmp_l)
ATSAN_ALIAS(__wcscoll_l, wcscoll_l)
ATSAN_ALIAS(__wcsftime_l, wcsftime_l)
ATSAN_ALIAS(__wcsncasecmp_l, wcsncasecmp_l)
ATSAN_ALIAS(__wcstod_l, wcstod_l)
ATSAN_ALIAS(__wcstof_l, wcstof_l)
ATSAN_ALIAS(__wcstol_l, wcstol_l)
ATSAN_ALIAS(__wcstold_l, wcstold_l)
ATSAN_ALIAS(__wcstoll_l, wcstoll_l)
ATSAN_ALIAS(__wcstoul_l, wcstoul_l)
ATSAN_ALIAS(__wcstoull_l, wcstoull_l)
ATSAN_ALIAS(__write, write)

// --- Streams. ----------------------------------------------------------------

ATSAN_ALIAS(_IO_fdopen, fdopen)
ATSAN_ALIAS(_IO_fgetpos, fgetpos)
ATSAN_ALIAS(_IO_fgetpos64, fgetpos)
ATSAN_ALIAS(_IO_fgets, fgets)
ATSAN_ALIAS(_IO_fopen, fopen)
ATSAN_ALIAS(_IO_fprintf, fprintf)
ATSAN_ALIAS(_IO_fputs, fputs)
ATSAN_ALIAS(_IO_fread, fread)
ATSAN_ALIAS(_IO_fsetpos, fsetpos)
ATSAN_ALIAS(_IO_fsetpos64, fsetpos)
ATSAN_ALIAS(_IO_fwrite, fwrite)
ATSAN_ALIAS(_IO_popen, popen)
ATSAN_ALIAS(_IO_printf, printf)
ATSAN_ALIAS(_IO_puts, puts)
ATSAN_ALIAS(_IO_sprintf, sprintf)
ATSAN_ALIAS(_IO_sscanf, sscanf)
ATSAN_ALIAS(_IO_vfprintf, vfprintf)
ATSAN_ALIAS(_IO_vsprintf, vsprintf)

// --- Numbers by the length of their type. ------------------------------------

ATSAN_ALIAS(frexpf32x, frexp)
ATSAN_ALIAS(frexpf64, frexp)
ATSAN_ALIAS(frexpf32, frexpf)
ATSAN_ALIAS(frexpf64x, frexpl)
ATSAN_ALIAS(lgammaf32x_r, lgamma_r)
ATSAN_ALIAS(lgammaf64_r, lgamma_r)
ATSAN_ALIAS(lgammaf32_r, lgammaf_r)
ATSAN_ALIAS(lgammaf64x_r, lgammal_r)
ATSAN_ALIAS(modff32x, modf)
ATSAN_ALIAS(modff64, modf)
ATSAN_ALIAS(modff32, modff)
ATSAN_ALIAS(modff64x, modfl)
ATSAN_ALIAS(nanf32, nanf)
ATSAN_ALIAS(nanf32x, nan)
ATSAN_ALIAS(nanf64, nan)
ATSAN_ALIAS(nanf64x, nanl)
ATSAN_ALIAS(remquof32x, remquo)
ATSAN_ALIAS(remquof64, remquo)
ATSAN_ALIAS(remquof32, remquof)
ATSAN_ALIAS(remquof64x, remquol)
ATSAN_ALIAS(sincosf32x, sincos)
ATSAN_ALIAS(sincosf64, sincos)
ATSAN_ALIAS(sincosf32, sincosf)
ATSAN_ALIAS(sincosf64x, sincosl)
ATSAN_ALIAS(strfromf32, strfromf)
ATSAN_ALIAS(strfromf32x, strfromd)
ATSAN_ALIAS(strfromf64, strfromd)
ATSAN_ALIAS(strfromf64x, strfroml)
ATSAN_ALIAS(strtof32x, strtod)
ATSAN_ALIAS(strtof64, strtod)
ATSAN_ALIAS(strtof32, strtof)
ATSAN_ALIAS(strtof64x, strtold)
ATSAN_ALIAS(strtof32_l, strtof_l)
ATSAN_ALIAS(strtof32x_l, strtod_l)
ATSAN_ALIAS(strtof64_l, strtod_l)
ATSAN_ALIAS(strtof64x_l, strtold_l)
ATSAN_ALIAS(strtoq, strtoll)
ATSAN_ALIAS(strtouq, strtoull)
ATSAN_ALIAS(wcstof32x, wcstod)
ATSAN_ALIAS(wcstof64, wcstod)
ATSAN_ALIAS(wcstof32, wcstof)
ATSAN_ALIAS(wcstof64x, wcstold)
ATSAN_ALIAS(wcstof32_l, wcstof_l)
ATSAN_ALIAS(wcstof32x_l, wcstod_l)
ATSAN_ALIAS(wcstof64_l, wcstod_l)
ATSAN_ALIAS(wcstof64x_l, wcstold_l)
ATSAN_ALIAS(wcstoimax, wcstoll)
ATSAN_ALIAS(wcstoq, wcstoll)
ATSAN_ALIAS(wcstoumax, wcstoull)
ATSAN_ALIAS(wcstouq, wcstoull)

// --- Files with offsets of 64 bits, which all have here. ---------------------

ATSAN_ALIAS(creat64, creat)
ATSAN_ALIAS(fcntl64, fcntl)
ATSAN_ALIAS(fgetpos64, fgetpos)
ATSAN_ALIAS(fsetpos64, fsetpos)
ATSAN_ALIAS(fstat64, fstat)
ATSAN_ALIAS(fstatat64, fstatat)
ATSAN_ALIAS(getrlimit64, getrlimit)
ATSAN_ALIAS(mkstemp64, mkstemp)
ATSAN_ALIAS(open64, open)
ATSAN_ALIAS(openat64, openat)
ATSAN_ALIAS(preadv64v2, preadv2)
ATSAN_ALIAS(prlimit64, prlimit)
ATSAN_ALIAS(pwrite64, pwrite)
ATSAN_ALIAS(pwritev64, pwritev)
ATSAN_ALIAS(pwritev64v2, pwritev2)
ATSAN_ALIAS(sendfile64, sendfile)
ATSAN_ALIAS(setrlimit64, setrlimit)

// --- Others. -----------------------------------------------------------------

ATSAN_ALIAS(bcmp, memcmp)
ATSAN_ALIAS(index, strchr)
ATSAN_ALIAS(rindex, strrchr)
ATSAN_ALIAS(timelocal, mktime)
ATSAN_ALIAS(wcswcs, wcsstr)
