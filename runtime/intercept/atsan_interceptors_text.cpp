//===-- atsan_interceptors_text.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that look into texts: patterns, names of files and of the
// environment, addresses, answers, keys.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_interceptors.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

using namespace __atsan;

// --- Patterns. ---------------------------------------------------------------

static bool Contains(const char *set, char c) {
  return internal_strchr(set, c) != nullptr;
}

// Unless flags change what ordinary characters mean, the first of them that
// differs decides, if no other character comes before it. Otherwise all is
// read.
static void RecordMatch(const AccessRecorder &recorder, const char *pattern,
                        const char *s, int flags) {
  constexpr int kHarmless = 1 | 2 | 4;  // FNM_PATHNAME, _NOESCAPE, _PERIOD
  for (uptr i = 0; !(flags & ~kHarmless); i++) {
    const char c = pattern[i];
    if (!c || Contains("*?[\\", c))
      break;
    if (c == s[i])
      continue;
    recorder.Read(pattern, i + 1);
    recorder.Read(s, i + 1);
    return;
  }
  recorder.ReadString(pattern);
  recorder.ReadString(s);
}

ATSAN_BEFORE(int, fnmatch, (const char *pattern, const char *s, int flags),
             (pattern, s, flags), RecordMatch(recorder, pattern, s, flags))

// rpmatch uses a regular expression of the locale.
ATSAN_BEFORE(int, rpmatch, (const char *answer), (answer),
             recorder.ReadString(answer))

// --- Numbers in other clothes. -----------------------------------------------

static uptr Span(const char *s, const char *set) {
  uptr length = 0;
  while (s[length] && Contains(set, s[length]))
    length++;
  return length;
}

#define ATSAN_DIGITS "0123456789"
#define ATSAN_SMALL "abcdefghijklmnopqrstuvwxyz"
#define ATSAN_CAPITAL "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// Defines the interceptor of a function that makes a NaN of its digits.
#define ATSAN_NAN_INTERCEPTOR(Type, func) \
  ATSAN_BEFORE(                           \
      Type, func, (const char *s), (s),   \
      recorder.Read(s,                    \
                    Span(s, ATSAN_DIGITS ATSAN_SMALL ATSAN_CAPITAL "_") + 1))

ATSAN_NAN_INTERCEPTOR(double, nan)
ATSAN_NAN_INTERCEPTOR(float, nanf)
ATSAN_NAN_INTERCEPTOR(long double, nanl)

// A number has no more than six digits.
ATSAN_BEFORE(
    long, a64l, (const char *s), (s),
    recorder.Read(
        s,
        Min<uptr>(6, Span(s, "./" ATSAN_DIGITS ATSAN_CAPITAL ATSAN_SMALL) + 1)))

ATSAN_BEFORE(u32, inet_addr, (const char *s), (s),
             recorder.Read(s, Span(s, ATSAN_DIGITS "abcdefABCDEFxX.") + 1))
ATSAN_BEFORE(u32, inet_network, (const char *s), (s),
             recorder.Read(s, Span(s, ATSAN_DIGITS "abcdefABCDEFxX.") + 1))

// --- Names. ------------------------------------------------------------------

ATSAN_BEFORE(char *, getenv, (const char *name), (name),
             recorder.ReadString(name))
ATSAN_BEFORE(char *, secure_getenv, (const char *name), (name),
             recorder.ReadString(name))

// The directory's name ends in `path`, unless it is a constant of libc's.
ATSAN_AROUND(char *, dirname, (char *path), (path), recorder.ReadString(path),
             if (path && res == path)
                 recorder.Write(path + internal_strlen(path), 1))

// GNU's basename leaves slashes at the end.
ATSAN_BEFORE(char *, basename, (const char *path), (path),
             recorder.ReadString(path))

// POSIX's basename takes slashes off the end.
ATSAN_INTERCEPTOR(char *, __xpg_basename, char *path) {
  ATSAN_ENTER(__xpg_basename, path);
  recorder.ReadString(path);
  const uptr length = path ? internal_strlen(path) : 0;
  char *res = REAL(__xpg_basename)(path);
  const uptr new_length = path ? internal_strlen(path) : 0;
  if (new_length != length)
    recorder.Write(path + new_length, 1);
  return res;
}

// hasmntopt reads up to the end of the option, or all of the options.
ATSAN_INTERCEPTOR(char *, hasmntopt, const __sanitizer_mntent *entry,
                  const char *option) {
  ATSAN_ENTER(hasmntopt, entry, option);
  recorder.ReadObject(&entry->mnt_opts);
  recorder.ReadString(option);
  char *res = REAL(hasmntopt)(entry, option);
  const char *options = entry->mnt_opts;
  const char *end =
      res ? res + internal_strlen(option) : options + internal_strlen(options);
  recorder.Read(options, end - options + 1);
  return res;
}

// --- Hash tables: their memory is libc's. How full one is stands for it. -----

namespace {

struct HashEntry {
  const char *key;
  void *data;
};

// Has the layout of hsearch_data in <search.h>.
struct HashTable {
  void *entries;
  u32 size;
  u32 filled;
};

}  // namespace

ATSAN_BEFORE(HashEntry *, hsearch, (HashEntry entry, int action),
             (entry, action), recorder.ReadString(entry.key))

ATSAN_INTERCEPTOR(int, hsearch_r, HashEntry entry, int action,
                  HashEntry **found, HashTable *table) {
  ATSAN_ENTER(hsearch_r, entry, action, found, table);
  recorder.ReadString(entry.key);
  recorder.ReadObject(table);
  const u32 filled = table->filled;
  int res = REAL(hsearch_r)(entry, action, found, table);
  if (table->filled != filled)
    recorder.WriteObject(&table->filled);
  recorder.WriteObject(found);
  return res;
}

// --- Blocks of text. ---------------------------------------------------------

// swab swaps pairs of bytes; an odd last one is not touched.
ATSAN_INTERCEPTOR(void, swab, const char *from, char *to, sptr size) {
  ATSAN_ENTER(swab, from, to, size);
  const uptr swapped = size > 0 ? size & ~static_cast<sptr>(1) : 0;
  recorder.Read(from, swapped);
  recorder.Write(to, swapped);
  REAL(swab)(from, to, size);
}

ATSAN_BEFORE(void *, memfrob, (void *s, uptr size), (s, size),
             recorder.Read(s, size), recorder.Write(s, size))

// --- Addresses. --------------------------------------------------------------

// Tells a read of those parts of the address that are asked for, or of all if
// its family is not known.
static void ReadAddress(const AccessRecorder &recorder, const char *address,
                        uptr size, bool host, bool service) {
  constexpr u16 kInet = 2, kInet6 = 10;
  u16 family;
  if (size < sizeof(family))
    return;
  recorder.Read(address, sizeof(family));
  internal_memcpy(&family, address, sizeof(family));
  if (family != kInet && family != kInet6)
    return recorder.Read(address, size);
  constexpr uptr kPort = 2, kHost = 4, kHost6 = 8, kEnd = 8, kEnd6 = 28;
  if (size < (family == kInet ? kEnd : kEnd6))
    return;
  if (service)
    recorder.Read(address + kPort, sizeof(u16));
  if (host && family == kInet)
    recorder.Read(address + kHost, kEnd - kHost);
  else if (host)
    recorder.Read(address + kHost6, kEnd6 - kHost6);
}

// Modules of the system run here, whose own data nobody can tell from the
// program's.
ATSAN_INTERCEPTOR(int, getnameinfo, const char *address, u32 size, char *host,
                  u32 host_size, char *service, u32 service_size, int flags) {
  ATSAN_ENTER(getnameinfo, address, size, host, host_size, service,
              service_size, flags);
  ReadAddress(recorder, address, size, host && host_size,
              service && service_size);
  cur_thread->ignore_accesses++;
  int res = REAL(getnameinfo)(address, size, host, host_size, service,
                              service_size, flags);
  cur_thread->ignore_accesses--;
  if (res == 0) {
    recorder.WriteString(host_size ? host : nullptr);
    recorder.WriteString(service_size ? service : nullptr);
  }
  return res;
}
