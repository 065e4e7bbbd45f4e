//===-- atsan_interceptors_calendar.cpp -----------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calendar times: of a struct tm, only the fields that the result depends on
// are read.
//
//===----------------------------------------------------------------------===//
#include <langinfo.h>

#include "runtime/intercept/atsan_format.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

using namespace __atsan;

// --- From seconds. -----------------------------------------------------------

// The results of localtime, gmtime, ctime and asctime are libc's, but shared:
// writes are told of all that return fields or text.
#define ATSAN_TO_FIELDS_INTERCEPTORS(func, func_r)                           \
  ATSAN_AROUND(__sanitizer_tm *, func, (const long *seconds), (seconds),     \
               recorder.ReadObject(seconds), recorder.WriteObject(res))      \
  ATSAN_AROUND(__sanitizer_tm *, func_r,                                     \
               (const long *seconds, __sanitizer_tm *time), (seconds, time), \
               recorder.ReadObject(seconds), recorder.WriteObject(res))

ATSAN_TO_FIELDS_INTERCEPTORS(localtime, localtime_r)
ATSAN_TO_FIELDS_INTERCEPTORS(gmtime, gmtime_r)

ATSAN_AROUND(char *, ctime, (const long *seconds), (seconds),
             recorder.ReadObject(seconds), recorder.WriteString(res))
ATSAN_AROUND(char *, ctime_r, (const long *seconds, char *text),
             (seconds, text), recorder.ReadObject(seconds),
             recorder.WriteString(res))

// --- To seconds: the other fields are computed. ------------------------------

// Tells a read of the fields from tm_sec to tm_year.
static void ReadDateAndTime(const AccessRecorder &recorder,
                            const __sanitizer_tm *time) {
  recorder.Read(time, __builtin_offsetof(__sanitizer_tm, tm_wday));
}

ATSAN_AROUND(long, mktime, (__sanitizer_tm *time), (time),
             (ReadDateAndTime(recorder, time),
              recorder.ReadObject(&time->tm_isdst)),
             if (res != -1) recorder.WriteObject(time))

// Whatever tm_isdst is, it becomes 0.
ATSAN_INTERCEPTOR(long, timegm, __sanitizer_tm *time) {
  ATSAN_ENTER(timegm, time);
  ReadDateAndTime(recorder, time);
  long res = REAL(timegm)(time);
  if (res != -1)
    recorder.WriteObject(time);
  else
    recorder.WriteObject(&time->tm_isdst);
  return res;
}

// --- To text. ----------------------------------------------------------------

static void ReadForText(const AccessRecorder &recorder,
                        const __sanitizer_tm *time) {
  recorder.ReadOptional(time, __builtin_offsetof(__sanitizer_tm, tm_yday));
}

ATSAN_AROUND(char *, asctime, (const __sanitizer_tm *time), (time),
             ReadForText(recorder, time), recorder.WriteString(res))
ATSAN_AROUND(char *, asctime_r, (const __sanitizer_tm *time, char *text),
             (time, text), ReadForText(recorder, time),
             recorder.WriteString(res))

namespace {

// Fields of a struct tm, as a set.
enum : u32 {
  kSec = 1 << 0,
  kMin = 1 << 1,
  kHour = 1 << 2,
  kDay = 1 << 3,
  kMonth = 1 << 4,
  kYear = 1 << 5,
  kWeekday = 1 << 6,
  kYearday = 1 << 7,
  kDst = 1 << 8,
  kOffset = 1 << 9,
  kZone = 1 << 10,
  kDate = kYear | kMonth | kDay,
  kTime = kHour | kMin | kSec,
  kWeek = kYearday | kWeekday,
};

struct TimeConversion {
  char type;
  u32 fields;
  // Conversions that stand for a format of the locale, and for its format with
  // eras (%Ec).
  nl_item format, era_format;
};

constexpr TimeConversion kConversions[] = {
    {'A', kWeekday, 0, 0},
    {'B', kMonth, 0, 0},
    {'C', kYear, 0, 0},
    {'D', kDate, 0, 0},
    {'F', kDate, 0, 0},
    {'G', kYear | kWeek, 0, 0},
    {'H', kHour, 0, 0},
    {'I', kHour, 0, 0},
    {'M', kMin, 0, 0},
    {'P', kHour, 0, 0},
    {'R', kHour | kMin, 0, 0},
    {'S', kSec, 0, 0},
    {'T', kTime, 0, 0},
    {'U', kWeek, 0, 0},
    {'V', kYear | kWeek, 0, 0},
    {'W', kWeek, 0, 0},
    {'X', 0, T_FMT, ERA_T_FMT},
    {'Y', kYear, 0, 0},
    {'Z', kZone, 0, 0},
    {'a', kWeekday, 0, 0},
    {'b', kMonth, 0, 0},
    {'c', 0, D_T_FMT, ERA_D_T_FMT},
    {'d', kDay, 0, 0},
    {'e', kDay, 0, 0},
    {'g', kYear | kWeek, 0, 0},
    {'h', kMonth, 0, 0},
    {'j', kYearday, 0, 0},
    {'k', kHour, 0, 0},
    {'l', kHour, 0, 0},
    {'m', kMonth, 0, 0},
    {'p', kHour, 0, 0},
    {'r', 0, T_FMT_AMPM, T_FMT_AMPM},
    {'s', kDate | kTime | kDst, 0, 0},
    {'u', kWeekday, 0, 0},
    {'w', kWeekday, 0, 0},
    {'x', 0, D_FMT, ERA_D_FMT},
    {'y', kYear, 0, 0},
    {'z', kDst | kOffset, 0, 0},
};

const TimeConversion *FindConversion(u32 type) {
  for (const TimeConversion &conversion : kConversions)
    if (static_cast<u32>(conversion.type) == type)
      return &conversion;
  return nullptr;
}

// The text of the program's locale, or of the one that a function is given.
const char *LocaleText(nl_item item, locale_t locale) {
  return locale ? nl_langinfo_l(item, locale) : nl_langinfo(item);
}

template <class Char>
u32 FieldsOf(const Char *format, locale_t locale, int depth);

u32 FieldsOf(const TimeConversion &conversion, bool era, locale_t locale,
             int depth) {
  if (conversion.format) {
    const char *format =
        era ? LocaleText(conversion.era_format, locale) : nullptr;
    if (!format || !*format)
      format = LocaleText(conversion.format, locale);
    if (!*format && conversion.type == 'r')
      return kTime;
    // Formats of locales name others, but not themselves.
    constexpr int kDepth = 4;
    return depth < kDepth ? FieldsOf(format, locale, depth + 1) : 0;
  }
  // The year of an era depends on when in a year that began.
  const bool is_year = conversion.fields == kYear;
  if (era && is_year && *LocaleText(ERA, locale))
    return kDate;
  return conversion.fields;
}

template <class Char>
u32 FieldsOf(const Char *format, locale_t locale, int depth) {
  u32 fields = 0;
  for (const Char *p = format; *p; p++) {
    if (*p != '%')
      continue;
    p++;
    while (*p == '_' || *p == '-' || *p == '^' || *p == '#' || *p == '+' ||
           (*p >= '0' && *p <= '9'))
      p++;
    const bool era = *p == 'E';
    if (era || *p == 'O')
      p++;
    if (!*p)
      break;
    if (const TimeConversion *conversion = FindConversion(*p))
      fields |= FieldsOf(*conversion, era, locale, depth);
  }
  return fields;
}

void ReadFields(const AccessRecorder &recorder, const __sanitizer_tm *time,
                u32 fields) {
  const int *const numbers[] = {
      &time->tm_sec,  &time->tm_min,  &time->tm_hour,
      &time->tm_mday, &time->tm_mon,  &time->tm_year,
      &time->tm_wday, &time->tm_yday, &time->tm_isdst};
  if (fields & kZone) {
    recorder.ReadObject(&time->tm_zone);
    recorder.ReadString(time->tm_zone);
    // A zone without a name is one of two that libc knows.
    if (!time->tm_zone || !*time->tm_zone)
      fields |= kDst;
  }
  for (uptr i = 0; i < ARRAY_SIZE(numbers); i++)
    if (fields & (1u << i))
      recorder.ReadObject(numbers[i]);
  if ((fields & kOffset) && time->tm_isdst >= 0)
    recorder.ReadObject(&time->tm_gmtoff);
}

}  // namespace

// Defines the interceptors of a function that makes text of a time, and of the
// one that is given a locale.
#define ATSAN_STRFTIME_INTERCEPTORS(Char, func, func_l)                    \
  ATSAN_AROUND(                                                            \
      uptr, func,                                                          \
      (Char *s, uptr max, const Char *format, const __sanitizer_tm *time), \
      (s, max, format, time),                                              \
      (ReadString(recorder, format),                                       \
       ReadFields(recorder, time, FieldsOf(format, nullptr, 0))),          \
      recorder.Write(s, res ? (res + 1) * sizeof(Char) : 0))               \
  ATSAN_AROUND(uptr, func_l,                                               \
               (Char *s, uptr max, const Char *format,                     \
                const __sanitizer_tm *time, locale_t locale),              \
               (s, max, format, time, locale),                             \
               (ReadString(recorder, format),                              \
                ReadFields(recorder, time, FieldsOf(format, locale, 0))),  \
               recorder.Write(s, res ? (res + 1) * sizeof(Char) : 0))

ATSAN_STRFTIME_INTERCEPTORS(char, strftime, strftime_l)
ATSAN_STRFTIME_INTERCEPTORS(wchar_t, wcsftime, wcsftime_l)
