//===-- atsan_region_exclusion.cpp ----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matching (and symbolizing, for regions without a name) takes long, and a
// region may begin a million times a second: so answers are remembered, in
// words that are read without a lock.
//
//===----------------------------------------------------------------------===//
#include "runtime/regions/atsan_region_exclusion.h"

#include "lib/base/NamePattern.h"
#include "runtime/location/atsan_location.h"
#include "runtime/memory/atsan_constant_memory.h"
#include "runtime/options/atsan_flags.h"
#include "runtime/options/atsan_text_file.h"
#include "runtime/report/atsan_report.h"
#include "runtime/state/atsan_init.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_dense_map.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {

using atsan_names::Text;

bool has_exclusions;
bool has_late_exclusions;
NameAnswers name_answers;

// Guards the patterns and what is written to the answers.
static StaticSpinMutex mutex;
static InternalMmapVectorNoCtor<Text> patterns;  // Never freed.
static atomic_uint32_t version_of_patterns;

// Each answer is a region's hash with the answer in its lowest bit; 0: none.
static constexpr uptr kAnswers = 8192;  // Direct-mapped.
static atomic_uint64_t answers[kAnswers];
// All of them, by the hash without that bit: the two largest keys are
// DenseMap's own. To ask again costs milliseconds. Never freed.
static DenseMap<u64, bool> *all_answers;

// Called with the mutex held.
static void ForgetAnswers() {
  has_late_exclusions |= region_memos_exist;
  atomic_fetch_add(&version_of_patterns, 1, memory_order_release);
  for (atomic_uint64_t &answer : answers)
    atomic_store_relaxed(&answer, 0);
  for (atomic_uint64_t &answer : name_answers.places)
    atomic_store_relaxed(&answer, 0);
  if (all_answers)
    all_answers->clear();
}

void ExclusionsForgetAnswers() {
  SpinMutexLock lock(&mutex);
  if (has_exclusions)
    ForgetAnswers();
}

// Held while the symbolizer is asked, without the lock of reports. A fork waits
// for it.
static Mutex place_mutex;

void ExclusionsLockForFork() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  place_mutex.Lock();
  mutex.Lock();
}
void ExclusionsUnlockAfterFork() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  mutex.Unlock();
  place_mutex.Unlock();
}

// --- Reading. ----------------------------------------------------------------

static void AddPattern(Text pattern) {
  for (const Text &known : patterns)
    if (known.Size() == pattern.Size() &&
        !internal_memcmp(known.begin, pattern.begin, pattern.Size()))
      return;
  char *copy = static_cast<char *>(InternalAlloc(pattern.Size() + 1));
  internal_memcpy(copy, pattern.begin, pattern.Size());
  patterns.push_back({copy, copy + pattern.Size()});
  has_exclusions = true;
  ForgetAnswers();
}

// Symbolizers tell names of functions as the source has them: a pattern that is
// a linked name is one of such a name, too.
static void AddAsInSource(Text pattern) {
  InternalScopedString linked;
  linked.AppendF("%.*s", static_cast<int>(pattern.Size()), pattern.begin);
  const char *readable = DemangledName(linked.data());
  if (readable == linked.data() || !internal_strcmp(readable, linked.data()))
    return;
  InternalScopedString escaped;
  for (const char *c = readable; *c; c++)
    escaped.AppendF(internal_strchr("*?[\\", *c) ? "\\%c" : "%c", *c);
  SpinMutexLock lock(&mutex);
  AddPattern({escaped.data(), escaped.data() + escaped.length()});
}

static void AddList(const char *place, Text list) {
  for (atsan_names::Lines lines(list); lines.Next();) {
    if (const char *problem = atsan_names::Problem(lines.pattern))
      BadLine(place, lines.number, lines.pattern.begin, lines.pattern.Size(),
              problem);
    {
      SpinMutexLock lock(&mutex);
      AddPattern(lines.pattern);
    }
    AddAsInSource(lines.pattern);
  }
}

void ExclusionsInit() {
  const char *path = flags()->exclude_regions;
  if (!path[0])
    return;
  TextFile file("exclude_regions", path);
  AddList(path, {file.begin(), file.end()});
}

// --- Asking. -----------------------------------------------------------------

// Whether the pattern matches the name as it is, or as the source has it.
static bool Matches(Text pattern, const char *name, const char *readable) {
  return atsan_names::MatchesName(pattern, atsan_names::TextOf(name)) ||
         atsan_names::MatchesName(pattern, atsan_names::TextOf(readable));
}

static bool ListHas(const char *name) {
  if (!name)
    return false;
  const char *readable = DemangledName(name);
  SpinMutexLock lock(&mutex);
  for (const Text &pattern : patterns)
    if (Matches(pattern, name, readable))
      return true;
  return false;
}

// Whether a line with callers names the function, the one that called it, and
// so on. Functions of the C++ library in between do not count.
static bool ListHasCalls(const SymbolizedStack *user) {
  struct Function {
    const char *name;
    const char *readable;
  };
  // To demangle may take long, and takes locks.
  InternalMmapVector<Function> calls;
  for (; user && user->info.function; user = FromUserFrame(user->next))
    calls.push_back({user->info.function, DemangledName(user->info.function)});
  SpinMutexLock lock(&mutex);
  for (Text rest : patterns) {
    Text pattern = atsan_names::TakeCallee(&rest);
    if (!rest.Size())
      continue;
    for (const Function &call : calls) {
      if (!Matches(pattern, call.name, call.readable))
        break;
      if (!rest.Size())
        return true;
      pattern = atsan_names::TakeCallee(&rest);
    }
  }
  return false;
}

// Whether a line is the place where the region begins, or that of a call on the
// way there: a report calls a region by where the program takes a lock. A line
// may have as many folders before the file as it wants.
static bool ListHasLine(const SymbolizedStack *user) {
  for (; user; user = FromUserFrame(user->next)) {
    if (!user->info.file)
      continue;
    InternalScopedString place;
    place.AppendF("%s:%d", user->info.file, user->info.line);
    for (const char *at = place.data(); at;
         at = internal_strchr(at, '/') ? internal_strchr(at, '/') + 1 : nullptr)
      if (ListHas(at))
        return true;
  }
  return false;
}

static bool ListHasPlace(Thread *thr, const AccessPoint &at) {
  Lock lock(&place_mutex);
  auto *trace = static_cast<BufferedStackTrace *>(
      InternalAlloc(sizeof(BufferedStackTrace)));
  UnwindStack(thr, at, trace);
  SymbolizedStackHolder stack(SymbolizeStack(*trace));
  InternalFree(trace);
  const AddressInfo *code = UserFrame(stack.get());
  const SymbolizedStack *user = FromUserFrame(stack.get());
  return code &&
         (ListHas(code->function) || ListHasLine(user) || ListHasCalls(user));
}

// The hash of a region's name, or of its code and that of its callers.
static u64 HashOf(Thread *thr, const char *name, const AccessPoint &at) {
  const u64 hash = name ? HashName(name) : HashStack(thr, at);
  return HashEnd(hash) | (1ull << 63);
}

// Called with the mutex held. False: it was not asked before.
static bool FindAnswer(u64 hash, bool *excluded) {
  auto *found = all_answers ? all_answers->find(hash >> 1) : nullptr;
  if (found)
    *excluded = found->second;
  return found;
}

static void PutAnswer(u64 hash, bool excluded) {
  if (!all_answers)
    all_answers =
        new (InternalAlloc(sizeof(*all_answers))) DenseMap<u64, bool>();
  (*all_answers)[hash >> 1] = excluded;
}

bool IsExcludedSlow(Thread *thr, const char *name, const AccessPoint &at) {
  ScopedInRuntime in_runtime(thr);
  if (name && !name[0])
    name = nullptr;
  const u64 hash = HashOf(thr, name, at) & ~1ull;
  atomic_uint64_t *answer = &answers[(hash >> 1) % kAnswers];
  const u64 known = atomic_load_relaxed(answer);
  const bool is_constant = name && IsConstant(Bits(name), 1);
  if ((known & ~1ull) == hash && !is_constant)
    return known & 1;
  const u32 version = atomic_load(&version_of_patterns, memory_order_acquire);
  bool excluded, is_known;
  {
    SpinMutexLock lock(&mutex);
    is_known = FindAnswer(hash, &excluded);
  }
  if (!is_known)
    excluded = name ? ListHas(name) : ListHasPlace(thr, at);
  SpinMutexLock lock(&mutex);
  // The answer may be outdated if there are new patterns.
  if (version != atomic_load_relaxed(&version_of_patterns))
    return excluded;
  if (!is_known)
    PutAnswer(hash, excluded);
  atomic_store_relaxed(answer, hash | excluded);
  if (is_constant)
    atomic_store_relaxed(PlaceOfAnswer(name), Bits(name) << 1 | excluded);
  return excluded;
}

}  // namespace __atsan

void __atsan_exclude_regions(const char *list) {
  using namespace __atsan;
  __atsan_init();
  ScopedInRuntime in_runtime(cur_thread);
  AddList("-fatomicity-exclude", atsan_names::TextOf(list));
}
